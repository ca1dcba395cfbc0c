import { GroveError } from "@grove/auth";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errorAnswer, retryAfter } from "../lib/errors";
import { isForPage, type serveConsole } from "./console";
import { pathOf } from "./requestLog";

type AnswerPage = Awaited<ReturnType<typeof serveConsole>>;

/** Answers a request whose path is malformed or too long. */
export function answerBadPath(
  { statusCode }: FastifyError,
  request: FastifyRequest,
  // Fastify types this reply for a route that is not known here.
  reply: unknown,
): void {
  const message = statusCode === 414 ? "This path is too long." : "This path is malformed.";
  const { body, status } = errorAnswer(new GroveError("BAD_REQUEST", message, { statusCode }), request.id);
  void (reply as FastifyReply).header("x-request-id", request.id).status(status).send(body);
}

/**
 * Answers errors in tRPC's shape, and unknown paths with the console's page or NOT_FOUND.
 * @param page returns the console's page; undefined without a console
 */
export function answerErrors(server: FastifyInstance, page: () => AnswerPage): void {
  server.setErrorHandler((error, request, reply) => {
    const { body, status } = errorAnswer(error, request.id);
    if (status >= 500) request.log.error({ reqId: request.id, err: error }, "request failed");
    const seconds = retryAfter(error);
    if (seconds !== undefined) reply.header("retry-after", seconds);
    return reply.status(status).send(body);
  });
  server.setNotFoundHandler((request, reply) => {
    const answerPage = page();
    if (answerPage && isForPage(request)) return answerPage(request, reply);
    const message = `No route matches ${request.method} ${pathOf(request)}.`;
    const { body, status } = errorAnswer(new GroveError("NOT_FOUND", message), request.id);
    return reply.status(status).send(body);
  });
}
