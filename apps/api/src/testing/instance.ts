import { openDatabase } from "@grove/db";
import { afterAll } from "vitest";
import { createLog } from "../lib/log";
import { start } from "../server";
import type { TestServer } from "./server";

/**
 * A second instance on the first one's PostgreSQL, over connections of its own; closed after the file's tests.
 * @param url the database's address, if not the direct one
 */
export async function useSecondInstance(first: TestServer, url = first.database.url) {
  const database = await openDatabase({ url });
  const { config, vault } = first.services;
  const log = createLog("silent");
  const second = await start({ database, config, vault, host: "127.0.0.1", port: 0, log });
  afterAll(async () => {
    await second.close();
    await database.close();
  });
  return { ...second, database };
}
