import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createAuth, type Vault } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import { Integrations } from "@grove/integrations";
import type { FastifyBaseLogger } from "fastify";
import { batchChunks } from "./agentSessions/append";
import { startPullPolling } from "./changes/pulls/poll";
import { Dispatch } from "./dispatch/dispatch";
import { startFallbackPoll } from "./dispatch/stream/fallbackPoll";
import { batchEventReads } from "./events/read";
import { releaseOf } from "./http/console/release";
import { createServer } from "./http/server";
import { Lease } from "./instance/lease";
import { Mailer } from "./lib/mailer";
import { CallerLimits } from "./limits/callerLimits";
import { noDisk, watchDisk } from "./limits/disk";
import { LoadShedder } from "./limits/loadShedder";
import { Quotas } from "./limits/quotas";
import { createLimits } from "./limits/rateLimits";
import { Live } from "./live/live";
import { startBackups } from "./maintenance/backups";
import { startMaintenanceJobs } from "./maintenance/maintenanceJobs";
import { startSweeper } from "./maintenance/sweeper";
import { measureBatch } from "./metrics/batches";
import { createMetrics } from "./metrics/metrics";
import { startSender } from "./notifications/sender";
import { startGateRounds } from "./reviews/failures/gateRounds";
import { sendFailedChecks } from "./reviews/failures/sendFailedChecks";
import type { Config, Services } from "./services";
import { CredentialLookups } from "./trpc/credentialLookups";
import { startQueue } from "./webhooks/queue";

/** How long a closing server waits for calls in progress. */
const CUT_OFF_MS = 8_000;
/** The most connections that wait to be accepted. Beyond it, connections are refused or retried after seconds. */
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
  /** The address that the server listens on, with the actual port. */
  url: string;
  services: Services;
  /** Drains open streams, answers waiting callers, and finishes the calls in progress. The database stays open. */
  close(): Promise<void>;
}

/**
 * Serves the API on an open database.
 * @throws {Error} Node's EADDRINUSE for a taken port
 */
export async function start(options: StartOptions): Promise<RunningServer> {
  const { config, host, port } = options;
  const stop = new AbortController();
  const drain = new AbortController();
  // Every stream and waiting call listens to it.
  setMaxListeners(0, stop.signal, drain.signal);
  const services = await createServices(options, { stopping: stop.signal, draining: drain.signal });
  const server = await createServer(services);
  const background = startBackgroundWork(services);
  const close = async () => {
    stop.abort();
    if (config.drainMs) await Promise.race([services.dispatch.streams.untilEmpty(), sleep(config.drainMs)]);
    drain.abort();
    background.stop();
    // Calls in progress are answered first. A connection becomes idle only when its stream has ended, and would then be
    // kept alive.
    const sweepIdle = setInterval(() => server.server.closeIdleConnections(), 50);
    const cutOff = setTimeout(() => server.server.closeAllConnections(), CUT_OFF_MS);
    await server.close();
    clearInterval(sweepIdle);
    clearTimeout(cutOff);
    await background.end();
    await closeServices(services);
  };
  try {
    await services.lease.begin();
    return { url: await server.listen({ host, port, backlog: BACKLOG }), services, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function createServices(
  { database, config, vault, host, port, log }: StartOptions,
  signals: Pick<Services, "stopping" | "draining">,
): Promise<Services> {
  const lease = new Lease(database.reserved, log, config.lease);
  const metrics = config.metricsToken === undefined ? undefined : await createMetrics(database, lease);
  const auth = createAuth({
    db: database.reserved,
    secureCookies: config.publicUrl?.startsWith("https:") ?? false,
    log,
  });
  const callers = new CallerLimits(config.bounds);
  const loadShedder = new LoadShedder(config.bounds);
  // Mails and notifications link to pages of the web application, if there is one.
  const consoleUrl = config.webOrigins[0] ?? config.publicUrl ?? `http://${host}:${port}`;
  return {
    config,
    database,
    auth,
    vault,
    integrations: new Integrations(config.integrations),
    lease,
    dispatch: new Dispatch(database, lease, log, metrics),
    readEvents: batchEventReads(database.db, measureBatch("events", metrics)),
    appendChunk: batchChunks(database, measureBatch("chunks", metrics)),
    live: new Live(database, log),
    consoleUrl,
    mailer: new Mailer(config.smtp, consoleUrl, log),
    limits: createLimits(config.limits),
    callers,
    loadShedder,
    lookups: new CredentialLookups(auth, callers, loadShedder),
    quotas: new Quotas(config.quotas),
    disk: config.disk ? await watchDisk(config.disk, log) : noDisk,
    release: await releaseOf(config.webDir),
    metrics,
    log,
    ...signals,
  };
}

/**
 * Starts what this process does without a request.
 * @returns `stop`, to be called before the calls in progress are answered, and `end` for afterwards, which waits until
 *   the last work is done
 */
function startBackgroundWork(services: Services) {
  const stops = [startSweeper(services), startMaintenanceJobs(services), startFallbackPoll(services)];
  const ends = [
    startQueue(services),
    startSender(services),
    startPullPolling(services, sendFailedChecks),
    startGateRounds(services),
    startBackups(services),
  ];
  return {
    stop: () => stops.forEach((stop) => void stop()),
    end: async () => {
      for (const end of ends) await end();
    },
  };
}

async function closeServices(services: Services): Promise<void> {
  await services.integrations.close();
  await services.mailer.close();
  services.dispatch.presence.close();
  services.lease.close();
  services.callers.close();
  services.disk.close();
}
