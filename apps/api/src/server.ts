import { setMaxListeners } from "node:events";
import { createAuth, type Vault } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import { Integrations } from "@grove/integrations";
import type { FastifyBaseLogger } from "fastify";
import { Dispatch } from "./dispatch/dispatch";
import { startFallbackPoll } from "./dispatch/stream/fallbackPoll";
import { batchEventReads } from "./events/read";
import { createLimits } from "./http/rateLimits";
import { createServer } from "./http/server";
import { startQueue } from "./integrations/queue";
import { noDisk, watchDisk } from "./lib/disk";
import { Mailer } from "./lib/mail";
import { Quotas } from "./lib/quotas";
import { createMetrics } from "./maintenance/metrics";
import { startSweeper } from "./maintenance/sweeper";
import type { Config, Services } from "./services";
import { Callers } from "./trpc/callers";

/** How long a closing server waits for what runs. */
const CUT_OFF_MS = 8_000;

export interface StartOptions {
  database: GroveDatabase;
  config: Config;
  vault: Vault;
  host: string;
  /** 0 for any free one. */
  port: number;
  log: FastifyBaseLogger;
}

export interface RunningServer {
  /** Where it listens, with the port that was given to it. */
  url: string;
  services: Services;
  /** Tells open streams to go, answers waiting callers, and finishes what runs. The database stays open. */
  close(): Promise<void>;
}

/**
 * Serves the API on an open database.
 * @throws Node's EADDRINUSE for a taken port
 */
export async function start({
  database,
  config,
  vault,
  host,
  port,
  log,
}: StartOptions): Promise<RunningServer> {
  const drain = new AbortController();
  // Every stream and waiting call listens to it.
  setMaxListeners(0, drain.signal);
  const services: Services = {
    config,
    database,
    auth: createAuth({
      db: database.reserved,
      secureCookies: config.publicUrl?.startsWith("https:") ?? false,
      log,
    }),
    vault,
    integrations: new Integrations(config.integrations),
    dispatch: new Dispatch(database.reserved, log),
    readEvents: batchEventReads(database.db),
    // The pages are the web application's, where there is one.
    mailer: new Mailer(
      config.smtp,
      config.webOrigins[0] ?? config.publicUrl ?? `http://${host}:${port}`,
      log,
    ),
    limits: createLimits(config.limits),
    callers: new Callers(config.bounds),
    quotas: new Quotas(config.quotas),
    disk: config.disk ? await watchDisk(config.disk, log) : noDisk,
    metrics: config.metricsToken === undefined ? undefined : await createMetrics(database),
    log,
    draining: drain.signal,
  };
  const server = await createServer(services);
  const stopSweeper = startSweeper(services);
  const stopFallbackPoll = startFallbackPoll(services);
  const endQueue = startQueue(services);
  const close = async () => {
    drain.abort();
    stopSweeper();
    stopFallbackPoll();
    // What runs is answered first. A connection that a stream has ended on is idle only then, and would be kept alive.
    const sweepIdle = setInterval(() => server.server.closeIdleConnections(), 50);
    const cutOff = setTimeout(() => server.server.closeAllConnections(), CUT_OFF_MS);
    await server.close();
    clearInterval(sweepIdle);
    clearTimeout(cutOff);
    await endQueue();
    await services.integrations.close();
    await services.mailer.close();
    services.dispatch.presence.close();
    services.callers.close();
    services.disk.close();
  };
  try {
    return { url: await server.listen({ host, port }), services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
