import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import staticFiles from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Services } from "../../services";
import { pageHeaders } from "./headers";

/** The build's placeholder for the nonce. */
const NONCE = /CSP_NONCE/g;
/** Vite puts a hash into the names of the files in this folder. */
const HASHED = "/assets/";
/** Paths of programs. Nothing below them is ever a page. */
const PROGRAMS = /^\/(api|assets|download|health|ready|metrics)(\/|$)/;
const YEAR_S = 31_536_000;

/** Answers a request with the console's page. */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * Serves the built console: each file at its own route, compressed at build time. Nothing else on the disk
 * can be reached.
 * @returns the response for its pages, which all have the same HTML; undefined if no console is built
 */
export async function serveConsole(
  server: FastifyInstance,
  { config, log }: Pick<Services, "config" | "log">,
): Promise<AnswerPage | undefined> {
  const { webDir, publicUrl, local = false } = config;
  if (webDir === undefined) return undefined;
  const html = await readFile(join(webDir, "index.html"), "utf8").catch(() => undefined);
  if (html === undefined) {
    log.warn({ webDir }, "the console is not built, so none is served");
    return undefined;
  }
  await server.register(staticFiles, {
    root: webDir,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ["**/*.html", "**/*.br", "**/*.gz", ".vite/**"],
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply, path) => {
      const isHashed = path.slice(webDir.length).replaceAll("\\", "/").startsWith(HASHED);
      reply.header("cache-control", isHashed ? `public, max-age=${YEAR_S}, immutable` : "no-cache");
      reply.header("x-content-type-options", "nosniff");
      reply.header("cross-origin-resource-policy", "same-origin");
    },
  });
  const secure = publicUrl?.startsWith("https:") ?? false;
  return (request, reply) => {
    const { hostname, port } = new URL(`http://${request.host}`);
    // The session is stored by origin. With two names for the same console, a user would be signed in to one only.
    if (local && hostname === "localhost")
      return reply.redirect(`http://127.0.0.1${port && `:${port}`}${request.url}`, 308);
    const nonce = randomBytes(16).toString("base64");
    return reply
      .headers(pageHeaders(nonce, secure))
      .type("text/html; charset=utf-8")
      .send(html.replace(NONCE, nonce));
  };
}

/**
 * Whether a browser navigates to a page; otherwise a program fetches data. `/` is always a page, since monitors and
 * curl send no `Accept: text/html`.
 */
export function isForPage({ method, url, headers }: FastifyRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const path = url.split("?", 1)[0] ?? "";
  return path === "/" || (headers.accept?.includes("text/html") === true && !PROGRAMS.test(path));
}
