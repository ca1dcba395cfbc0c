import { type Kysely, Migrator, sql } from "kysely";
import { MigrationError } from "./errors";
import { migrations } from "./migrations";
import type { Database } from "./tables";

/**
 * Brings the database to this version's schema. Several processes may do so at the same time: one works, and the others
 * wait.
 * @throws {MigrationError} when a migration fails, in which case neither it nor later ones are kept; or when the
 * database was made before the first release, or migrated by a newer version
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await refuseOtherHistory(db);
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error")?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  throw new MigrationError(failed ? `Migration ${failed} failed: ${reason}` : reason, { cause: error });
}

/** Kysely would call such a database's migrations corrupted, without saying what to do. */
async function refuseOtherHistory(db: Kysely<Database>): Promise<void> {
  const applied = await appliedMigrations(db);
  const [first = ""] = Object.keys(migrations);
  if (applied.length > 0 && !applied.includes(first))
    throw new MigrationError(
      "The tables in this database were made before Grove's first release, or by another program: use a new database (DATABASE_URL) or a new directory (DATA_DIR).",
    );
  const unknown = applied.find((name) => migrations[name] === undefined);
  if (unknown !== undefined)
    throw new MigrationError(
      `A newer version of Grove has migrated this database (${unknown}): use that version, or a later one.`,
    );
}

async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const found = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
