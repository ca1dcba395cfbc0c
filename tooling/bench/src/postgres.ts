import { createDatabase, startPostgres } from "@grove/postgres";
import pg from "pg";
import type { Scope } from "./scope";

/** A PostgreSQL of its own that keeps what it has acknowledged, as in production. */
export async function startDurablePostgres(scope: Scope) {
  const server = await startPostgres({
    fresh: true,
    settings: { fsync: "on", synchronous_commit: "on", full_page_writes: "on" },
  });
  scope.defer(() => server.stop());
  const urls: string[] = [];
  return {
    version: `PostgreSQL ${await query<string>(server.url, "show server_version")}`,
    /** The URL of a fresh, empty database. */
    async createDatabase() {
      const { url } = await createDatabase(server.url);
      urls.push(url);
      return url;
    },
    /**
     * Has the planner know how full the tables are, which autovacuum tells it of a new database within a minute. Until
     * then it takes them for empty, and any index for as good as any other.
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
