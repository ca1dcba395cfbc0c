import { messageOf } from "@grove/schemas";
import { retry } from "@grove/signals/retry";
import { type Kysely, type MigrationResultSet, Migrator, sql } from "kysely";
import { isAhead } from "./compatibility";
import { isLockTimeout, MigrationError } from "./errors";
import { type Log, silent } from "./log";
import { migrations } from "./migrations";
import type { Database } from "./tables";

/**
 * The lock timeout of a migration. While it waits for a table's lock, other statements on the table queue behind it.
 */
export const MIGRATION_LOCK_MS = 3_000;
/** The pause before the next try, in which queued statements run. */
const LOCK_BACKOFF = { baseMs: 1_000, maxMs: 1_000 };
/** How long a migration retries. Another instance may be migrating for that long. */
const LOCK_RETRY_MS = 15 * 60_000;

interface MigrateOptions {
  /** Called first if the database has tables and lacks some migration. */
  before?: () => Promise<void> | undefined;
  log?: Log;
}

/**
 * Brings the database to this version's schema, unless a newer version has already brought it further. Several
 * processes may do so at the same time: one works, and the others wait.
 * @throws {MigrationError} when a migration fails, in which case neither it nor later ones are kept; or when the
 * database was made before the first release, or by a newer version that this one cannot work with
 */
export async function migrate(
  db: Kysely<Database>,
  { before = async () => {}, log = silent }: MigrateOptions = {},
): Promise<void> {
  const applied = await requireOwnHistory(db);
  if (isAhead(applied, log)) return;
  // Most starts: Kysely would read the whole catalog first, which takes PGlite a tenth of a second.
  if (applied.length === Object.keys(migrations).length) return;
  if (applied.length > 0) await before();
  await retry(() => run(db, (migrator) => migrator.migrateToLatest()), {
    ...LOCK_BACKOFF,
    forMs: LOCK_RETRY_MS,
    retryable: (error) => error instanceof MigrationError && isLockTimeout(error.cause),
    onRetry: (error) => log.warn({ err: error }, "the migration waits for a lock that others hold"),
  });
}

/**
 * Requires that the database has this version's schema, or a newer compatible one.
 * @throws {MigrationError} otherwise
 */
export async function demandMigrated(db: Kysely<Database>, log: Log): Promise<void> {
  const applied = await requireOwnHistory(db);
  const lacking = Object.keys(migrations).filter((name) => !applied.includes(name));
  if (!isAhead(applied, log) && lacking.length > 0)
    throw new MigrationError(
      `The database lacks migrations (${lacking.join(", ")}), and MIGRATE is off: run \`grove-api migrate\`.`,
    );
}

/**
 * Applies the given migrations to an empty database.
 * @throws {MigrationError} when other migrations were applied to the database
 */
export async function migrateTo(db: Kysely<Database>, through: readonly string[]): Promise<void> {
  await requireOwnHistory(db);
  const last = through.at(-1);
  const before = await appliedMigrations(db);
  if (last !== undefined && before.length === 0) await run(db, (migrator) => migrator.migrateTo(last));
  if ((await appliedMigrations(db)).join() !== through.join())
    throw new MigrationError("The database has the tables of another version of Grove.");
}

async function run(
  db: Kysely<Database>,
  migrateBy: (migrator: Migrator) => Promise<MigrationResultSet>,
): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error, results } = await migrateBy(new Migrator({ db, provider }));
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error")?.migrationName;
  const reason = messageOf(error);
  throw new MigrationError(failed ? `Migration ${failed} failed: ${reason}` : reason, { cause: error });
}

/** Requires a database of Grove; Kysely's own error names no next step. @returns the applied migrations */
async function requireOwnHistory(db: Kysely<Database>): Promise<string[]> {
  const applied = await appliedMigrations(db);
  const [first = ""] = Object.keys(migrations);
  if (applied.length > 0 && !applied.includes(first))
    throw new MigrationError(
      "The tables in this database were made before Grove's first release, or by another program: use a new database (DATABASE_URL) or a new directory (DATA_DIR).",
    );
  return applied;
}

/** The names of the applied migrations, in order. */
export async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const found = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
