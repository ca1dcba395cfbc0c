import { createDatabase, startPostgres } from "@grove/testing/postgres";
import pg from "pg";
import type { Scope } from "./scope";

/**
 * Starts a separate PostgreSQL that syncs its commits to disk, as in production.
 * @param flushMs how long a flush takes at least, as on a cloud's disk
 * @param settings further settings of postgresql.conf
 */
export async function startDurablePostgres(scope: Scope, flushMs = 0, settings: Record<string, string> = {}) {
  const delay = { commit_delay: `${flushMs * 1_000}`, commit_siblings: "0" };
  const server = await startPostgres({
    fresh: true,
    settings: {
      fsync: "on",
      synchronous_commit: "on",
      full_page_writes: "on",
      ...(flushMs > 0 && delay),
      ...settings,
    },
  });
  scope.defer(() => server.stop());
  const urls: string[] = [];
  return {
    version: `PostgreSQL ${await query<string>(server.url, "show server_version")}`,
    /** Creates an empty database and returns its URL. */
    async createDatabase() {
      const { url } = await createDatabase(server.url);
      urls.push(url);
      return url;
    },
    /**
     * Updates the planner's statistics, which autovacuum does within a minute in a new database. Until then the planner
     * assumes that tables are empty, and all indexes equally good.
     */
    async analyze() {
      for (const url of urls) await query(url, "vacuum analyze");
    },
  };
}

/** Runs one statement and returns the first column of its first row. */
export async function query<T>(url: string, text: string, values: unknown[] = []): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text, values, rowMode: "array" });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
