import { GroveError } from "@grove/auth";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { presentedSecret } from "../lib/credential";
import { ownOrigins } from "../lib/ownOrigins";

export interface ProtectOptions {
  publicUrl?: string;
  webOrigins: string[];
  /** Further names by which devices and programs reach this service: `host`, or `host:port`. */
  allowedHosts?: string[];
}

/**
 * Supervisors request these under any name: a pod's address, a container's name. They take no cookie and change
 * nothing; metrics have a token of their own.
 */
const ANY_HOST = new Set(["/health", "/ready", "/metrics"]);

/**
 * Refuses, before anything else sees a request, what a foreign web page can make a browser send. It needs parsed
 * cookies: register @fastify/cookie first.
 * - A Host that is neither loopback's, nor the public URL's, nor among ALLOWED_HOSTS: 421 `host_not_allowed` (DNS
 *   rebinding). Health, readiness and metrics are answered under any name.
 * - A preflight that CORS has not answered, since WEB_ORIGINS is not set: FORBIDDEN `origin_not_allowed`.
 * - A change made with the cookie by a page of another origin: FORBIDDEN `origin_not_allowed` (CSRF). Our own origins
 *   are the address that the request was sent to, PUBLIC_URL and WEB_ORIGINS.
 * - A body for tRPC that is not JSON: UNSUPPORTED_MEDIA_TYPE. A multipart form would need no CORS preflight.
 */
export function protect(server: FastifyInstance, options: ProtectOptions): void {
  const isOwnHost = hostsOf(options);
  const origins = ownOrigins(options);

  const check = (request: FastifyRequest): void => {
    if (!ANY_HOST.has(request.routeOptions.url ?? "") && !isOwnHost(request.host))
      throw new GroveError(
        "FORBIDDEN",
        "Unexpected Host header. Use PUBLIC_URL, or add the name to ALLOWED_HOSTS.",
        { reason: "host_not_allowed", statusCode: 421 },
      );
    if (isPreflight(request))
      throw new GroveError(
        "FORBIDDEN",
        "Pages of other origins cannot call this service. Add their origin to WEB_ORIGINS.",
        { reason: "origin_not_allowed" },
      );
    if (isSafe(request)) return;
    if (presentedSecret(request)?.via === "cookie" && !isFromOwnPage(request, origins))
      throw new GroveError(
        "FORBIDDEN",
        "A change made with the cookie must come from one of this service's own origins. Set WEB_ORIGINS, or send the session's token as a Bearer token.",
        { reason: "origin_not_allowed" },
      );
    if (isForTrpc(request) && mediaType(request) !== "application/json")
      throw new GroveError(
        "UNSUPPORTED_MEDIA_TYPE",
        "Only application/json is accepted. Send JSON with that content-type.",
      );
  };
  server.addHook("onRequest", (request, _, done) => {
    check(request);
    done();
  });
}

/** Whether a page of this very address has made the request, or a page of one of these origins. */
function isFromOwnPage(request: FastifyRequest, origins: Set<string>): boolean {
  const { origin = "", "sec-fetch-site": site } = request.headers;
  if (origins.has(origin)) return true;
  // Pages of other ports of this host are other programs' pages.
  return origin === `${request.protocol}://${request.host}` && (site === undefined || site === "same-origin");
}

/** The methods that change nothing (RFC 9110, section 9.2.1). */
const isSafe = ({ method }: FastifyRequest) => ["GET", "HEAD", "OPTIONS"].includes(method);

/** A browser's question before a page may send something to another origin (Fetch standard, section 3.2.2). */
const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === "OPTIONS" && headers["access-control-request-method"] !== undefined;

/** Decided by the matched route, so that no spelling of the path gets around it. */
const isForTrpc = (request: FastifyRequest) => request.routeOptions.url?.startsWith("/api/trpc") === true;

const mediaType = (request: FastifyRequest) =>
  request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();

/** localhost, 127.0.0.0/8 and ::1, with any port. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;
const isLoopback = (host: string) => loopback.test(host);

/** Whether a Host header names this service. A default port may be written or left out. */
function hostsOf({ publicUrl, allowedHosts = [] }: ProtectOptions): (host: string) => boolean {
  const publicHost = publicUrl === undefined ? [] : [new URL(publicUrl).host];
  const exact = new Set(publicHost.flatMap((host) => [host, `${host}:443`, `${host}:80`]));
  const names = new Set(allowedHosts.map((host) => host.toLowerCase()));
  return (given) => {
    const host = given.toLowerCase();
    return isLoopback(host) || exact.has(host) || names.has(host) || names.has(host.replace(/:\d{1,5}$/, ""));
  };
}
