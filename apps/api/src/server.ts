import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createAuth, type Vault } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import { Integrations } from "@grove/integrations";
import type { FastifyBaseLogger } from "fastify";
import { batchChunks } from "./agentSessions/append";
import { Dispatch } from "./dispatch/dispatch";
import { startFallbackPoll } from "./dispatch/stream/fallbackPoll";
import { batchEventReads } from "./events/read";
import { releaseOf } from "./http/console/release";
import { createServer } from "./http/server";
import { Lease } from "./instance/lease";
import { startQueue } from "./integrations/queue";
import { Mailer } from "./lib/mail";
import { CallerLimits } from "./limits/callerLimits";
import { noDisk, watchDisk } from "./limits/disk";
import { LoadShedder } from "./limits/loadShedder";
import { Quotas } from "./limits/quotas";
import { createLimits } from "./limits/rateLimits";
import { Live } from "./live/live";
import { startBackups } from "./maintenance/backups";
import { startMaintenanceJobs } from "./maintenance/maintenanceJobs";
import { startSweeper } from "./maintenance/sweeper";
import { aroundBatch } from "./metrics/batches";
import { createMetrics } from "./metrics/metrics";
import type { Config, Services } from "./services";
import { Lookups } from "./trpc/lookups";

/** How long a closing server waits for calls in progress. */
const CUT_OFF_MS = 8_000;
/** Connections that wait to be accepted. Of more, some would be refused, or come again only after seconds. */
const BACKLOG = 4_096;

export interface StartOptions {
  database: GroveDatabase;
  config: Config;
  vault: Vault;
  host: string;
  /** 0 for any free port. */
  port: number;
  log: FastifyBaseLogger;
}

export interface RunningServer {
  /** The address it listens on, with the actual port. */
  url: string;
  services: Services;
  /** Drains open streams, answers waiting callers, and finishes the calls in progress. The database stays open. */
  close(): Promise<void>;
}

/**
 * Serves the API on an open database.
 * @throws {Error} Node's EADDRINUSE for a taken port
 */
export async function start({
  database,
  config,
  vault,
  host,
  port,
  log,
}: StartOptions): Promise<RunningServer> {
  const stop = new AbortController();
  const drain = new AbortController();
  const lease = new Lease(database.reserved, log, config.lease);
  const metrics = config.metricsToken === undefined ? undefined : await createMetrics(database, lease);
  // Every stream and waiting call listens to it.
  setMaxListeners(0, stop.signal, drain.signal);
  const auth = createAuth({
    db: database.reserved,
    secureCookies: config.publicUrl?.startsWith("https:") ?? false,
    log,
  });
  const callers = new CallerLimits(config.bounds);
  const loadShedder = new LoadShedder(config.bounds);
  const services: Services = {
    config,
    database,
    auth,
    vault,
    integrations: new Integrations(config.integrations),
    lease,
    dispatch: new Dispatch(database, lease, log, metrics),
    readEvents: batchEventReads(database.db, aroundBatch("events", metrics)),
    appendChunk: batchChunks(database, aroundBatch("chunks", metrics)),
    live: new Live(database.db, log),
    // Mails link to pages of the web application, if there is one.
    mailer: new Mailer(
      config.smtp,
      config.webOrigins[0] ?? config.publicUrl ?? `http://${host}:${port}`,
      log,
    ),
    limits: createLimits(config.limits),
    callers,
    loadShedder,
    lookups: new Lookups(auth, callers, loadShedder),
    quotas: new Quotas(config.quotas),
    disk: config.disk ? await watchDisk(config.disk, log) : noDisk,
    release: await releaseOf(config.webDir),
    metrics,
    log,
    stopping: stop.signal,
    draining: drain.signal,
  };
  const server = await createServer(services);
  const stopSweeper = startSweeper(services);
  const stopKeeper = startMaintenanceJobs(services);
  const stopFallbackPoll = startFallbackPoll(services);
  const endQueue = startQueue(services);
  const endBackups = startBackups(services);
  const close = async () => {
    stop.abort();
    if (config.drainMs) await Promise.race([services.dispatch.streams.left(), sleep(config.drainMs)]);
    drain.abort();
    stopSweeper();
    stopKeeper();
    stopFallbackPoll();
    // Calls in progress are answered first. A connection becomes idle only when its stream has ended, and would then be
    // kept alive.
    const sweepIdle = setInterval(() => server.server.closeIdleConnections(), 50);
    const cutOff = setTimeout(() => server.server.closeAllConnections(), CUT_OFF_MS);
    await server.close();
    clearInterval(sweepIdle);
    clearTimeout(cutOff);
    await endQueue();
    await endBackups();
    await services.integrations.close();
    await services.mailer.close();
    services.dispatch.presence.close();
    lease.close();
    services.callers.close();
    services.disk.close();
  };
  try {
    await lease.begin();
    return { url: await server.listen({ host, port, backlog: BACKLOG }), services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
