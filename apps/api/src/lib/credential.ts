// For `request.cookies`.
import type {} from "@fastify/cookie";
import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** The name of the cookie that a browser keeps its session's secret in. */
    sessionCookieName: string;
  }
}

export interface PresentedSecret {
  secret: string;
  /** A browser sends cookies by itself, no matter who caused the request; headers are set on purpose. */
  via: "header" | "cookie";
}

const parsed = new WeakMap<FastifyRequest, PresentedSecret | null>();

/**
 * Returns the credential of a request, valid or not: `Authorization: Bearer` (RFC 6750), otherwise `x-api-key`,
 * otherwise the session's cookie. An invalid credential does not fall back to the next. Parsed once per request, after
 * its cookies.
 */
export function presentedSecret(request: FastifyRequest): PresentedSecret | null {
  const cached = parsed.get(request);
  if (cached !== undefined) return cached;
  const presented = parse(request);
  parsed.set(request, presented);
  return presented;
}

function parse(request: FastifyRequest): PresentedSecret | null {
  const bearer = /^bearer(?: +(.*))?$/i.exec(request.headers.authorization ?? "");
  if (bearer) return { secret: bearer[1]?.trim() ?? "", via: "header" };
  const apiKey = request.headers["x-api-key"];
  if (apiKey !== undefined) return { secret: String(apiKey), via: "header" };
  const cookie = request.cookies[request.server.sessionCookieName];
  return cookie === undefined ? null : { secret: cookie, via: "cookie" };
}
