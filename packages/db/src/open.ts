import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Kysely, sql } from "kysely";
import { requireSameTime } from "./clockSkew";
import { lockDataDirectory } from "./engines/pglite/lock";
import { listenOnPGlite } from "./engines/pglite/notifier";
import { openPGlite } from "./engines/pglite/pglite";
import { keepVacuumed } from "./engines/pglite/vacuum";
import { listenOnPostgres } from "./engines/postgres/notifier";
import { openPools, openPostgres, REQUIRE_WRITABLE } from "./engines/postgres/postgres";
import type { PoolWaits } from "./engines/postgres/prepared";
import { whyNotOpen } from "./errors";
import { type Log, silent } from "./log";
import { demandMigrated, MIGRATION_LOCK_MS, migrate } from "./migrate";
import type { Notifier, OpenNotifier } from "./notifier";
import { requirePreparedStatements } from "./pooler";
import { requireSupportedVersion } from "./postgresVersion";
import type { Database } from "./tables";

export type Engine = "pglite" | "postgres";

export interface OpenOptions {
  /** PostgreSQL 15 or later, or a pooler in front of it. */
  url?: string;
  /**
   * The URL of a direct connection, for LISTEN and migrations. Required if `url` is that of a transaction pooler, which
   * has no sessions. The default is `url`.
   */
  directUrl?: string | undefined;
  /**
   * The directory of the embedded database, which is in its `pgdata`; used without `url`. Without both, the database is
   * in memory.
   */
  dataDir?: string;
  /**
   * With `dataDir`: a file of `@grove/db/template`, from which a new database is made in a fifth of the time. It has
   * all migrations, so it is not used unless the database is to be migrated.
   */
  template?: string | undefined;
  log?: Log;
  /**
   * Whether the database is migrated; true by default. Without it, its schema may be older than this program's, unless
   * the right one is `demanded`.
   */
  migrating?: boolean | "demanded";
  /** Called before an embedded database that has tables already is migrated. If it fails, nothing is migrated. */
  beforeMigration?: (database: Pick<GroveDatabase, "db" | "engine">) => Promise<void>;
  /**
   * The most connections of `db` on PostgreSQL. `engines/postgres/postgres.ts` has the default, and the other pools.
   */
  poolSize?: number;
}

/** An open, migrated database. */
export interface GroveDatabase {
  readonly db: Kysely<Database>;
  /**
   * Separate connections to the database for credentials, presence, and the statements that move commands. Each of
   * these must be short, so that no caller of `db` can hold them up. On the embedded engine it is `db`.
   */
  readonly reserved: Kysely<Database>;
  /**
   * Two connections to the database for queries that read much, such as analytics and searches. A statement may take 5
   * s. The embedded engine instead refuses a query if its planner expects that to take longer.
   */
  readonly slow: Kysely<Database>;
  readonly notifier: Notifier;
  readonly engine: Engine;
  /** How many connections each pool has, idle and busy, and how many callers wait for one. */
  connections(): Record<string, Record<string, number>>;
  /** How often callers of each pool found no idle connection, and how long they waited. Empty as `connections`. */
  poolWaits(): Record<string, Readonly<PoolWaits>>;
  /** Resolves if the database responds and is writable; rejects otherwise. */
  ping(): Promise<void>;
  /** Ends all connections, or the embedded database, and releases the data directory. May be called again. */
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL if there is a URL, otherwise the embedded engine, and migrates it.
 * @throws {DataDirectoryLockedError} when another process has the embedded database open
 * @throws {DatabaseDamagedError} when the embedded database does not open
 * @throws {DatabaseInaccessibleError} when the file system refuses access: no permission, no space, or read-only
 * @throws {PostgresTooOldError} before PostgreSQL 15
 * @throws {PoolerError} when a pooler in front of PostgreSQL loses prepared statements
 * @throws {ClockSkewError} when this machine's clock and the server's differ by more than an hour
 * @throws {MigrationError} when a migration fails
 */
export function openDatabase(options: OpenOptions = {}): Promise<GroveDatabase> {
  const { url, log = silent } = options;
  return url === undefined ? openEmbedded(options, log) : openServer(url, options, log);
}

async function openServer(
  url: string,
  { directUrl = url, poolSize, migrating: migrates = true }: OpenOptions,
  log: Log,
): Promise<GroveDatabase> {
  // A migration has no time limit, and neither has the wait for another process's.
  const migrating = openPostgres({
    url: directUrl,
    poolSize: 1,
    statementTimeoutMs: 0,
    lockTimeoutMs: MIGRATION_LOCK_MS,
    log,
  });
  try {
    await requireSupportedVersion(migrating);
    await requireSameTime(migrating);
    if (migrates === "demanded") await demandMigrated(migrating, log);
    else if (migrates) await migrate(migrating, { log });
  } finally {
    await migrating.destroy();
  }
  await requirePreparedStatements(url);
  const { main, reserved, slow, isOwn } = openPools(url, log, poolSize);
  const end = async () => {
    await Promise.all([main, reserved, slow].map(({ db }) => db.destroy()));
  };
  const notifier = await listenOnPostgres(directUrl, log, isOwn, reserved.db).catch(async (error) => {
    await end();
    throw error;
  });
  return {
    ...opened("postgres", { db: main.db, reserved: reserved.db, slow: slow.db }, notifier, end),
    ping: async () => {
      await sql.raw(REQUIRE_WRITABLE).execute(main.db);
    },
    connections: () => ({
      main: main.connections(),
      reserved: reserved.connections(),
      slow: slow.connections(),
    }),
    poolWaits: () => ({ main: main.waits, reserved: reserved.waits, slow: slow.waits }),
  };
}

async function openEmbedded(options: OpenOptions, log: Log): Promise<GroveDatabase> {
  const { dataDir } = options;
  if (dataDir === undefined) return openInstance(undefined, options, log);
  await makeDirectory(dataDir);
  const unlock = lockDataDirectory(dataDir);
  try {
    return await openInstance(join(dataDir, "pgdata"), options, log, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Makes a directory and its parents. Node's own recursive mkdir never returns where no directory can be made, as in
 * /proc.
 */
async function makeDirectory(directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (parent !== directory) await makeDirectory(parent);
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process was faster.
    if (error.code !== "EEXIST") throw error;
  });
}

async function openInstance(
  directory: string | undefined,
  { template, migrating = true, beforeMigration }: OpenOptions,
  log: Log,
  closed = () => {},
): Promise<GroveDatabase> {
  const unpackFrom = template === undefined || migrating !== true ? undefined : { path: template, log };
  const { db, slow, pglite } = await openPGlite({ dataDir: directory }, unpackFrom).catch((cause: Error) => {
    throw directory === undefined ? cause : whyNotOpen(directory, cause);
  });
  try {
    if (migrating === "demanded") await demandMigrated(db, log);
    else if (migrating) await migrate(db, { before: () => beforeMigration?.({ db, engine: "pglite" }), log });
    const notifier = await listenOnPGlite(pglite, log);
    const endVacuum = keepVacuumed(db, log);
    return opened("pglite", { db, reserved: db, slow }, notifier, () => {
      endVacuum();
      return db.destroy().finally(closed);
    });
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Composes the database of either engine. `end` is called once, after the notifier has ended. */
export function opened(
  engine: Engine,
  { db, reserved, slow }: Pick<GroveDatabase, "db" | "reserved" | "slow">,
  notifier: OpenNotifier,
  end: () => Promise<void>,
): GroveDatabase {
  const finish = async () => {
    try {
      await notifier.close();
    } finally {
      await end();
    }
  };
  let closing: Promise<void> | undefined;
  return {
    db,
    reserved,
    slow,
    notifier,
    engine,
    connections: () => ({}),
    poolWaits: () => ({}),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    close: () => {
      closing ??= finish();
      return closing;
    },
  };
}
