import { traceFields } from "@grove/tracing";
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from "fastify";

const traceOf = ({ headers }: FastifyRequest) => traceFields(headers.traceparent?.toString());

/** The path without the query, which may hold inputs. */
export const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? url;

/** Logs one line for each request, instead of Fastify's two. */
export function logRequests(server: FastifyInstance, log: FastifyBaseLogger): void {
  // These lines hold no secrets, and redacting takes four times as long as writing them.
  const requests = log.child({}, { redact: [] });
  server.addHook("onResponse", (request, reply, done) => {
    const { id, method } = request;
    requests.info(
      {
        reqId: id,
        method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...traceOf(request),
      },
      "request",
    );
    done();
  });
}
