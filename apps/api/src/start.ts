import { createAuth } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import { Presence } from "./dispatch/presence";
import { startSweeper } from "./dispatch/sweep";
import { createServer } from "./server";
import type { Config, Services } from "./services";

export interface StartOptions {
  database: GroveDatabase;
  config: Config;
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
export async function start({ database, config, host, port, log }: StartOptions): Promise<RunningServer> {
  const drain = new AbortController();
  const services: Services = {
    config,
    database,
    auth: createAuth({
      db: database.db,
      secureCookies: config.publicUrl?.startsWith("https:") ?? false,
      log,
    }),
    presence: new Presence(database.db, log),
    log,
    draining: drain.signal,
  };
  const server = await createServer(services);
  const stopSweeper = startSweeper(services);
  const close = async () => {
    drain.abort();
    stopSweeper();
    await server.close();
    services.presence.close();
  };
  try {
    return { url: await server.listen({ host, port }), services, close };
  } catch (error) {
    await close();
    throw error;
  }
}
