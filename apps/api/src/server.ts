import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import cors from "@fastify/cors";
import { GroveError } from "@grove/auth";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import { errorAnswer, retryAfter } from "./errors";
import { authRoutes } from "./http/auth";
import { healthRoutes } from "./http/health";
import { integrationRoutes } from "./http/integrations";
import { metricsRoutes } from "./http/metrics";
import { protect } from "./http/protect";
import { trpcRoutes } from "./http/trpc";
import { webhookRoutes } from "./http/webhooks";
import type { Services } from "./services";

const BODY_LIMIT = 1024 * 1024;

/** The HTTP server over these services; tests call it without a port. The caller listens and closes. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  const { config } = services;
  const server = Fastify({
    loggerInstance: services.log,
    // One line a request, below, instead of two; the URL is logged without its query, which may hold inputs.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A child logger for each request takes as long as three lines, and hardly any request writes one: they give the id.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    // So many proxies and no more: what stands further left in x-forwarded-for is what a client has made up.
    trustProxy: (_: string, hop: number) => hop < Number(config.trustProxy),
    routerOptions: { maxParamLength: 5000 },
    forceCloseConnections: "idle",
  });

  // There is nothing secret in its lines, and to look for it takes four times as long as to write them.
  const requests = services.log.child({}, { redact: [] });
  // Hooks that every request passes answer by `done`: a promise for each takes longer than what they do.
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    const path = request.url.split("?", 1)[0];
    const { id, method } = request;
    requests.info(
      { reqId: id, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const { body, status } = errorAnswer(error, request.id);
    if (status >= 500) request.log.error({ reqId: request.id, err: error }, "request failed");
    const seconds = retryAfter(error);
    if (seconds !== undefined) reply.header("retry-after", seconds);
    return reply.status(status).send(body);
  });
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0];
    const message = `There is nothing at ${request.method} ${path}.`;
    const { body, status } = errorAnswer(new GroveError("NOT_FOUND", message), request.id);
    return reply.status(status).send(body);
  });

  await server.register(cookie);
  if (config.webOrigins.length > 0)
    await server.register(cors, { origin: config.webOrigins, credentials: true });
  protect(server, config);
  await server.register(healthRoutes, services);
  const { metrics } = services;
  if (metrics && config.metricsToken !== undefined)
    await server.register(metricsRoutes, { metrics, token: config.metricsToken });
  await server.register(authRoutes, services);
  await server.register(trpcRoutes, services);
  await server.register(integrationRoutes, services);
  await server.register(webhookRoutes, services);
  return server;
}
