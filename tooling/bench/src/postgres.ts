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
  return {
    version: `PostgreSQL ${await query<string>(server.url, "show server_version")}`,
    /** The URL of a fresh, empty database. */
    createDatabase: async () => (await createDatabase(server.url)).url,
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
