import { Socket } from "node:net";
import { GroveError } from "@grove/auth";
import { isStatementTimeout, isUnavailable } from "@grove/db";
import { MAX_BATCHED_CALLS } from "@grove/schemas";
import type { TRPCError } from "@trpc/server";
import { resolveResponse } from "@trpc/server/http";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { retryAfter } from "../lib/errors";
import { currentRequestId } from "../lib/requestId";
import { varyByAccept } from "../lib/varyByAccept";
import { AnswerBudget } from "../limits/answerBudget";
import { appRouter } from "../router";
import type { Services } from "../services";
import { type Context, createContext } from "../trpc/context";
import { answerPlainCalls, plainCalls, type TrpcRequest } from "./calls";
import { answerStream, plainStream } from "./eventStream";
import { UNREAD_MS } from "./eventWriter";
import { answerHeartbeat } from "./heartbeats";

/**
 * All procedures, under /api/trpc. Simple calls and subscriptions are answered straight from Fastify's request. tRPC's
 * own handler answers everything else: streamed batches, and malformed requests. Its adapter would pass each small JSON
 * body and response through a web stream, which costs more than the rest of a small call.
 */
export const trpcRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  // Bodies are parsed later, so that syntax errors are reported in tRPC's format.
  server.removeContentTypeParser("application/json");
  server.addContentTypeParser<string>("application/json", { parseAs: "string" }, (_, body, done) =>
    done(null, withoutByteOrderMark(body)),
  );

  server.all<{ Params: TrpcRequest["params"]; Querystring: TrpcRequest["query"] }>(
    "/api/trpc/:path",
    {
      // Before the body is read.
      onRequest: (request, _, done) => {
        services.lookups.require(request);
        done();
      },
    },
    async (request, reply) => {
      const onError = (error: TRPCError, path?: string) => logError(request, error, path);
      const stream = request.method === "GET" ? plainStream(request) : undefined;
      if (stream) return answerStream(stream, createContext(services, request), reply, onError);
      requireFewCalls(request);
      const plain = plainCalls(request, MAX_BATCHED_CALLS);
      const heartbeat = plain && answerHeartbeat(services, request, plain);
      if (heartbeat !== undefined) {
        reply.header("content-type", "application/json");
        varyByAccept(reply);
        return reply.send(heartbeat);
      }
      const signal = disconnectSignal(reply);
      const context = createContext(services, request);
      context.state.hold = unreadTracker(context, reply);
      if (plain) {
        const { status, body, errors } = await answerPlainCalls(plain, context, signal, onError);
        reply.status(status).headers({ "content-type": "application/json", ...retryHeaders(errors) });
        varyByAccept(reply);
        if (body.length >= LARGE_CHARACTERS) closeIfUnread(reply, services.config);
        return reply.send(body);
      }
      Object.assign(context.state, { budget: new AnswerBudget(), measured: true });
      const resolve = () =>
        resolveResponse({
          router: appRouter,
          path: request.params.path,
          req: asFetchRequest(request, signal),
          error: null,
          maxBatchSize: MAX_BATCHED_CALLS,
          createContext: async () => context,
          responseMeta: ({ errors }) => ({ headers: retryHeaders(errors) }),
          onError: ({ error, path }) => onError(error, path),
        });
      const response = await currentRequestId.run(request.id, resolve);
      response.headers.delete("vary");
      reply.status(response.status).headers(Object.fromEntries(response.headers));
      varyByAccept(reply);
      closeIfUnread(reply, services.config);
      return reply.send(isStream(response) ? response : await response.text());
    },
  );
};

/** @throws {GroveError} BAD_REQUEST `too_many_calls`: tRPC's own refusal states neither the limit nor the count */
function requireFewCalls(request: TrpcRequest): void {
  const count = request.params.path.split(",").length;
  if (count <= MAX_BATCHED_CALLS) return;
  throw new GroveError(
    "BAD_REQUEST",
    `This batch has ${count} calls, and at most ${MAX_BATCHED_CALLS} are allowed. Send several batches.`,
    { reason: "too_many_calls", details: { limit: MAX_BATCHED_CALLS, count } },
  );
}

/** Responses of at least this many characters count as unread until the caller has read them. Most are smaller. */
const LARGE_CHARACTERS = 64 * 1024;

/** Returns a function that counts a large response as unread until the caller has read it or has disconnected. */
function unreadTracker(
  { state, services }: Context,
  { raw }: FastifyReply,
): NonNullable<Context["state"]["hold"]> {
  let releases: (() => void)[] | undefined;
  return (characters, type) => {
    if (characters < LARGE_CHARACTERS || state.caller === undefined || raw.closed) return;
    if (type === "query") services.callers.requireResponseMemory(characters);
    if (!releases) {
      const created: (() => void)[] = [];
      releases = created;
      raw.once("close", () => created.forEach((release) => void release()));
    }
    releases.push(services.callers.trackUnread(state.caller, characters));
  };
}

/** Removes the byte order mark that a text may begin with: it is not part of the JSON. */
const withoutByteOrderMark = (text: string) => (text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);

/** The longest retry delay among these errors. */
function retryHeaders(errors: readonly TRPCError[]): Record<string, string> {
  const seconds = errors.map(retryAfter).filter((after) => after !== undefined);
  return seconds.length > 0 ? { "retry-after": `${Math.max(...seconds)}` } : {};
}

function logError(request: FastifyRequest, error: TRPCError, path: string | undefined): void {
  // The caller gets an error for a slow or unreachable database, but only the operator can fix it.
  const internal =
    error.code === "INTERNAL_SERVER_ERROR" || isStatementTimeout(error.cause) || isUnavailable(error.cause);
  request.log[internal ? "error" : "debug"](
    { reqId: request.id, err: internal ? (error.cause ?? error) : error.message, path },
    "procedure failed",
  );
}

/** Whether a response is a stream of events, or of batched results that are sent as they become ready. */
const isStream = ({ headers }: Response) =>
  headers.get("content-type") !== "application/json" || headers.has("transfer-encoding");

/** Returns a signal that is aborted when the caller disconnects before the response. */
function disconnectSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) abort.abort();
  });
  return abort.signal;
}

/**
 * Closes the connection if its client reads nothing for `unreadMs`. Call this when the response begins, since the
 * procedure itself may take longer.
 */
function closeIfUnread({ raw }: FastifyReply, { unreadMs = UNREAD_MS }: Services["config"]): void {
  const { socket } = raw;
  // A request that a test injects has no real socket.
  if (!(socket instanceof Socket)) return;
  const idleTimeout = socket.timeout ?? 0;
  socket.setTimeout(unreadMs);
  raw.on("timeout", () => {
    // An idle stream has no unread data.
    if (raw.writableLength > 0) socket.destroy();
  });
  raw.once("close", () => socket.setTimeout(idleTimeout));
}

/** Adapts a Fastify request to the properties of a fetch request that tRPC reads. */
function asFetchRequest(request: FastifyRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each);
  const fetchRequest: Pick<Request, "method" | "url" | "headers" | "signal" | "text"> = {
    method: request.method,
    // tRPC reads only the path and the query.
    url: `http://localhost${request.url}`,
    headers,
    signal,
    text: async () => (typeof request.body === "string" ? request.body : ""),
  };
  return fetchRequest as Request;
}
