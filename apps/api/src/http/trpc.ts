import { isStatementTimeout, isUnavailable } from "@grove/db";
import { resolveResponse } from "@trpc/server/http";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { createContext } from "../context";
import { retryAfter } from "../errors";
import { appRouter } from "../router";
import type { Services } from "../services";

const MAX_BATCH = 100;

/**
 * All procedures, under /api/trpc, with tRPC's own handling of its wire format. The adapter is ours because tRPC's takes
 * each small JSON body and answer through a web stream, which costs more than the rest of a small call.
 */
export const trpcRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  // tRPC parses the text itself, so that what is wrong with it is told in its shape.
  server.removeContentTypeParser("application/json");
  server.addContentTypeParser("application/json", { parseAs: "string" }, (_, body, done) => done(null, body));

  server.all<{ Params: { path: string } }>("/api/trpc/:path", async (request, reply) => {
    const response = await resolveResponse({
      router: appRouter,
      path: request.params.path,
      req: asFetchRequest(request, reply),
      error: null,
      maxBatchSize: MAX_BATCH,
      createContext: async () => createContext(services, request),
      responseMeta: ({ errors }) => {
        const seconds = errors.map(retryAfter).filter((after) => after !== undefined);
        return seconds.length > 0 ? { headers: { "retry-after": `${Math.max(...seconds)}` } } : {};
      },
      onError: ({ error, path }) => {
        // A database that took too long or cannot be reached is the caller's to know, and the operator's to mend.
        const internal =
          error.code === "INTERNAL_SERVER_ERROR" ||
          isStatementTimeout(error.cause) ||
          isUnavailable(error.cause);
        request.log[internal ? "error" : "debug"](
          { err: internal ? (error.cause ?? error) : error.message, path },
          "procedure failed",
        );
      },
    });
    if (isStream(response)) return reply.send(response);
    reply.status(response.status).headers(Object.fromEntries(response.headers));
    // Bytes, as they are in the answer: as text they would be decoded and encoded once more.
    return reply.send(Buffer.from(await response.arrayBuffer()));
  });
};

/** Events, or answers that are sent one by one as they come. */
const isStream = ({ headers }: Response) =>
  headers.get("content-type") !== "application/json" || headers.has("transfer-encoding");

/** As much of a fetch request as tRPC looks at. Its signal is aborted when the caller hangs up. */
function asFetchRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const hungUp = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) hungUp.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each);
  const seen: Pick<Request, "method" | "url" | "headers" | "signal" | "text"> = {
    method: request.method,
    // Whatever the host: only what follows it is read.
    url: `http://localhost${request.url}`,
    headers,
    signal: hungUp.signal,
    text: async () => (typeof request.body === "string" ? request.body : ""),
  };
  return seen as Request;
}
