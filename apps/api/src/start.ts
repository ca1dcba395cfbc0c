import { createAuth } from "@grove/auth";
import { openDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import { Presence } from "./dispatch/presence";
import { startSweeper } from "./dispatch/sweep";
import { createServer } from "./server";
import type { Config, Services } from "./services";

export interface StartOptions {
  config: Config;
  host: string;
  port: number;
  /** PostgreSQL; without it the embedded database in `dataDir`. */
  databaseUrl?: string;
  dataDir: string;
  log: FastifyBaseLogger;
}

export interface RunningServer {
  /** Where it listens, with the port that was given to it. */
  url: string;
  services: Services;
  /** Tells open streams to go, answers waiting callers, finishes what runs, closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the database, migrates it, and serves.
 * @throws what the database throws (a locked data directory), and Node's EADDRINUSE for a taken port
 */
export async function start(options: StartOptions): Promise<RunningServer> {
  const { config, log, databaseUrl, dataDir, host, port } = options;
  const database = await openDatabase(databaseUrl ? { url: databaseUrl, log } : { dataDir, log });
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
  const stopSweeper = startSweeper(services);
  const server = await createServer(services);
  const end = async () => {
    stopSweeper();
    services.presence.close();
    await server.close();
    await database.close();
  };
  try {
    const url = await server.listen({ host, port });
    return {
      url,
      services,
      close: async () => {
        drain.abort();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}
