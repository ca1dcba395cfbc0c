import type {} from "@grove/testing/context";
import { createDatabase } from "@grove/testing/postgres";
import { type Kysely, sql, type TableMetadata } from "kysely";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { listenOnPGlite } from "./engines/pglite/notifier";
import { openPGlite } from "./engines/pglite/pglite";
import { readTemplate } from "./engines/pglite/template";
import { silent } from "./log";
import { type Engine, type GroveDatabase, openDatabase, opened } from "./open";
import type { Database } from "./tables";
import { templateFile } from "./template";

export { FairQueue } from "./engines/fairQueue";

/** A migrated, empty database. */
export interface TestDatabase extends GroveDatabase {
  /** Only on PostgreSQL: for a second process on the same database. */
  readonly url?: string;
  /** Empties every table. */
  reset(): Promise<void>;
}

/**
 * The test file's own database, migrated and empty, on the engine of the vitest project that runs the file; closed
 * after the file's tests. Await it at the top of the file: `const { db } = await useTestDatabase();`
 * @throws {Error} in a package whose vitest.config.ts is not `defineSuite({ engines: true })`
 */
export async function useTestDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  afterAll(() => database.close());
  return database;
}

/** Like `useTestDatabase`, but the caller closes it. On PGlite a process has one: a second call empties the first. */
export async function createTestDatabase(engine: Engine = inject("engine")): Promise<TestDatabase> {
  if (engine === "pglite") return createOnPGlite();
  if (engine === "postgres") return createOnPostgres();
  throw new Error("This suite has no engine: its vitest.config.ts must be `defineSuite({ engines: true })`.");
}

async function createOnPostgres(): Promise<TestDatabase> {
  const server = inject("postgresUrl");
  const template = inject("postgresTemplate");
  await makeTemplate(server, template);
  const { url, drop } = await createDatabase(server, { template });
  const database = await openDatabase({ url });
  return {
    ...database,
    url,
    reset: () => truncate(database.db),
    async close() {
      try {
        await database.close();
      } finally {
        await drop();
      }
    },
  };
}

/** Migrates the template that all files of a run copy. One of several workers does it, and the others wait. */
async function makeTemplate(server: string, template: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext($1))", [template]);
    const { rowCount } = await client.query("select from pg_database where datname = $1", [template]);
    if (rowCount) return;
    const { url } = await createDatabase(server);
    await (await openDatabase({ url })).close();
    // Renamed once it is complete, so that no worker copies a partial one.
    const made = pg.escapeIdentifier(new URL(url).pathname.slice(1));
    await client.query(`alter database ${made} rename to ${pg.escapeIdentifier(template)}`);
  } finally {
    await client.end();
  }
}

/** The worker's one instance, kept where a second copy of this module finds it as well. */
const shared = globalThis as { groveTestPGlite?: ReturnType<typeof openPGlite> };

async function createOnPGlite(): Promise<TestDatabase> {
  const fresh = shared.groveTestPGlite === undefined;
  shared.groveTestPGlite ??= loadTemplate();
  const { db, slow, pglite } = await shared.groveTestPGlite;
  if (!fresh) await truncate(db);
  const notifier = await listenOnPGlite(pglite, silent);
  // The instance itself stays open for the worker's next file.
  const connections = { db, reserved: db, slow };
  return { ...opened("pglite", connections, notifier, async () => {}), reset: () => truncate(db) };
}

/** Loads an instance from the template, which takes a quarter of the time of initdb and the migrations. */
const loadTemplate = async () =>
  openPGlite({ loadDataDir: new Blob([await readTemplate(await templateFile())]) });

async function truncate(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ tables: string }>`
    select string_agg(format('%I', tablename), ', ') as tables from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_migration%'`.execute(db);
  if (rows[0]?.tables) await sql.raw(`truncate ${rows[0].tables} restart identity cascade`).execute(db);
}

/** The tables of a database, without partitions. */
export async function tablesWithoutPartitions(db: Kysely<Database>): Promise<TableMetadata[]> {
  const { rows } = await sql<{
    name: string;
  }>`select relname as name from pg_class where relispartition`.execute(db);
  const partitions = new Set(rows.map(({ name }) => name));
  return (await db.introspection.getTables()).filter(({ name }) => !partitions.has(name));
}
