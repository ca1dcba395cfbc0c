import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import cors from "@fastify/cors";
import { GroveError } from "@grove/auth";
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { doctorRoute } from "../doctor/route";
import { integrationRoutes } from "../integrations/routes";
import { boundConnections } from "../limits/connectionLimit";
import type { Services } from "../services";
import { authRoutes } from "../signIn/auth";
import { trpcRoutes } from "../trpcAdapter";
import { webhookRoutes } from "../webhooks/routes";
import { serveConsole } from "./console";
import { downloadRoutes } from "./download";
import { answerBadPath, answerErrors } from "./errorHandler";
import { healthRoutes } from "./health";
import { metricsRoutes } from "./metrics";
import { proofRoute } from "./proof";
import { protect } from "./protect";
import { logRequests } from "./requestLog";

const BODY_LIMIT = 1024 * 1024;
const REQUEST_MS = 60_000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Twice the number of devices that one process was measured with. */
const MAX_CONNECTIONS = 10_000;

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
  const { config, metrics } = services;
  const server = createFastify(services);
  server.server.maxConnections = MAX_CONNECTIONS;
  server.server.on("drop", () => metrics?.refused("instance"));
  // Behind a proxy all connections come from it.
  if (Number(config.trustProxy) === 0) boundConnections(server.server, () => metrics?.refused("network"));

  let page: Awaited<ReturnType<typeof serveConsole>>;
  setHeaders(server);
  logRequests(server, services.log);
  answerErrors(server, () => page);
  checkRequests(server, services);

  server.decorate("sessionCookieName", services.auth.sessionCookieName);
  await server.register(cookie);
  if (config.webOrigins.length > 0)
    await server.register(cors, { origin: config.webOrigins, credentials: true });
  protect(server, config);
  await registerRoutes(server, services);
  page = await serveConsole(server, services);
  return server;
}

function createFastify({ config, log }: Pick<Services, "config" | "log">): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // A child logger for each request costs as much as three lines, and hardly any request writes one: lines give the
    // id.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    // A request must arrive within this time; its response may take longer.
    requestTimeout: REQUEST_MS,
    // Closes a connection on which nothing moves, such as one whose caller does not read its response.
    connectionTimeout: 2 * REQUEST_MS,
    http: { maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: REQUEST_MS / 6 },
    // Trusts exactly this many proxies: anything further left in x-forwarded-for may be made up by the client.
    trustProxy: (_: string, hop: number) => hop < Number(config.trustProxy),
    routerOptions: { maxParamLength: 5000 },
    frameworkErrors: answerBadPath,
    forceCloseConnections: "idle",
  });
}

// Hooks that every request passes use `done`: a promise for each takes longer than their work.

function setHeaders(server: FastifyInstance): void {
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    // Responses are personal. A route whose response may be cached sets its own header.
    reply.header("cache-control", "no-store");
    done();
  });
}

function checkRequests(server: FastifyInstance, { disk }: Pick<Services, "disk">): void {
  server.addHook("onRequest", (request, _, done) => {
    requireUncompressed(request);
    done();
  });
  server.addHook("onRequest", (request, _, done) => {
    // Procedures check this themselves.
    if (request.method === "POST" && !request.url.startsWith("/api/trpc/")) disk.requireSpace();
    done();
  });
}

async function registerRoutes(server: FastifyInstance, services: Services): Promise<void> {
  const { config, metrics } = services;
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
}
