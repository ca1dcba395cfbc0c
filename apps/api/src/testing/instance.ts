import { openDatabase } from "@grove/db";
import { afterAll } from "vitest";
import { createLog } from "../lib/log";
import { start } from "../server";
import type { TestServer } from "./server";

interface Addresses {
  /** The database's, if not the direct one. */
  url?: string | undefined;
}

/** A further instance on the first one's PostgreSQL, over connections of its own. */
async function startInstance(first: TestServer, { url = first.database.url }: Addresses) {
  const database = await openDatabase({ url });
  const { config, vault } = first.services;
  const log = createLog("silent");
  const instance = await start({ database, config, vault, host: "127.0.0.1", port: 0, log });
  const end = async () => {
    await instance.close();
    await database.close();
  };
  return { ...instance, database, end };
}

/**
 * Starts a second instance, which is closed after the file's tests.
 * @param url the database's address, if not the direct one
 */
export async function useSecondInstance(first: TestServer, url?: string) {
  const second = await startInstance(first, { url });
  afterAll(() => second.end());
  return second;
}
