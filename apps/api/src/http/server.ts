import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import cors from "@fastify/cors";
import { GroveError } from "@grove/auth";
import { traceFields } from "@grove/tracing";
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { boundConnections } from "../limits/connections";
import type { Services } from "../services";
import { errorAnswer, retryAfter } from "../trpc/errors";
import { authRoutes } from "./auth";
import { isForPage, serveConsole } from "./console";
import { doctorRoute } from "./doctor";
import { downloadRoutes } from "./download";
import { healthRoutes } from "./health";
import { integrationRoutes } from "./integrations";
import { metricsRoutes } from "./metrics";
import { proofRoute } from "./proof";
import { protect } from "./protect";
import { trpcRoutes } from "./trpcAdapter";
import { webhookRoutes } from "./webhooks";

const BODY_LIMIT = 1024 * 1024;
const REQUEST_MS = 60_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Twice the number of devices that one process was measured with. */
const MAX_CONNECTIONS = 10_000;

const traceOf = ({ headers }: FastifyRequest) => traceFields(headers.traceparent?.toString());

/** @throws {GroveError} 415 for a compressed body, which nothing here reads */
function requireUncompressed({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity" || encoding === "") return;
  throw new GroveError(
    "BAD_REQUEST",
    "This body has a content encoding, and only plain bodies are accepted. Send it without compression.",
    { statusCode: 415 },
  );
}

/** The HTTP server for these services; tests call it without a port. The caller opens and closes it. */
export async function createServer(services: Services): Promise<FastifyInstance> {
  const { config } = services;
  const server = Fastify({
    loggerInstance: services.log,
    // One log line per request, below, instead of two. The URL is logged without its query, which may hold inputs.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A child logger for each request costs as much as three lines, and hardly any request writes one: lines give the
    // id.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    // A request must arrive within this time; its answer may take longer.
    requestTimeout: REQUEST_MS,
    // Closes a connection on which nothing moves, such as one whose caller does not read its answer.
    connectionTimeout: 2 * REQUEST_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: REQUEST_MS / 6 },
    // Trusts exactly this many proxies: anything further left in x-forwarded-for may be made up by the client.
    trustProxy: (_: string, hop: number) => hop < Number(config.trustProxy),
    routerOptions: { maxParamLength: 5000 },
    // For paths that are malformed or too long.
    frameworkErrors: ({ statusCode }, request, reply) => {
      const message = statusCode === 414 ? "This path is too long." : "This path is malformed.";
      const { body, status } = errorAnswer(
        new GroveError("BAD_REQUEST", message, { statusCode }),
        request.id,
      );
      // Fastify types this reply for a route that is not known yet.
      void (reply as FastifyReply).header("x-request-id", request.id).status(status).send(body);
    },
    forceCloseConnections: "idle",
  });

  const { metrics } = services;
  server.server.maxConnections = MAX_CONNECTIONS;
  server.server.on("drop", () => metrics?.refused("instance"));
  // Behind a proxy all connections come from it.
  if (Number(config.trustProxy) === 0) boundConnections(server.server, () => metrics?.refused("network"));

  // These lines hold no secrets, and redacting takes four times as long as writing them.
  const requests = services.log.child({}, { redact: [] });
  // Hooks that every request passes use `done`: a promise for each takes longer than their work.
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    // Answers are personal. A route whose answer may be cached sets its own header.
    reply.header("cache-control", "no-store");
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    const path = request.url.split("?", 1)[0];
    const { id, method } = request;
    requests.info(
      {
        reqId: id,
        method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...traceOf(request),
      },
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
  let page: Awaited<ReturnType<typeof serveConsole>>;
  server.setNotFoundHandler((request, reply) => {
    if (page && isForPage(request)) return page(request, reply);
    const path = request.url.split("?", 1)[0];
    const message = `There is nothing at ${request.method} ${path}.`;
    const { body, status } = errorAnswer(new GroveError("NOT_FOUND", message), request.id);
    return reply.status(status).send(body);
  });

  server.addHook("onRequest", (request, _, done) => {
    requireUncompressed(request);
    done();
  });
  server.addHook("onRequest", (request, _, done) => {
    // Procedures check this themselves.
    if (request.method === "POST" && !request.url.startsWith("/api/trpc/")) services.disk.requireRoom();
    done();
  });

  server.decorate("sessionCookieName", services.auth.sessionCookieName);
  await server.register(cookie);
  if (config.webOrigins.length > 0)
    await server.register(cors, { origin: config.webOrigins, credentials: true });
  protect(server, config);
  await server.register(healthRoutes, services);
  await server.register(doctorRoute, services);
  if (config.proofKey !== undefined) await server.register(proofRoute, { key: config.proofKey });
  if (metrics && config.metricsToken !== undefined)
    await server.register(metricsRoutes, { metrics, token: config.metricsToken });
  await server.register(authRoutes, services);
  await server.register(trpcRoutes, services);
  await server.register(integrationRoutes, services);
  await server.register(webhookRoutes, services);
  await server.register(downloadRoutes, services);
  page = await serveConsole(server, services);
  return server;
}
