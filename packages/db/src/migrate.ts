import { type Kysely, type MigrationResultSet, Migrator, sql } from "kysely";
import { MigrationError } from "./errors";
import { migrations } from "./migrations";
import type { Database } from "./tables";

/**
 * Brings the database to this version's schema. Several processes may do so at the same time: one works, and the others
 * wait.
 * @param before called first if the database has tables and lacks some migration
 * @throws {MigrationError} when a migration fails, in which case neither it nor later ones are kept; or when the
 * database was made before the first release, or migrated by a newer version
 */
export async function migrate(
  db: Kysely<Database>,
  before: () => Promise<void> | undefined = async () => {},
): Promise<void> {
  const applied = await refuseOtherHistory(db);
  if (applied.length > 0 && applied.length < Object.keys(migrations).length) await before();
  await run(db, (migrator) => migrator.migrateToLatest());
}

/**
 * Gives an empty database the schema that these migrations made.
 * @throws {MigrationError} when the database has had others
 */
export async function migrateTo(db: Kysely<Database>, through: readonly string[]): Promise<void> {
  await refuseOtherHistory(db);
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
  const reason = error instanceof Error ? error.message : String(error);
  throw new MigrationError(failed ? `Migration ${failed} failed: ${reason}` : reason, { cause: error });
}

/** Kysely would call such a database's migrations corrupted, without saying what to do. @returns those it has had */
async function refuseOtherHistory(db: Kysely<Database>): Promise<string[]> {
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
  return applied;
}

/** The names of the migrations that the database has had, in order. */
export async function appliedMigrations(db: Kysely<Database>): Promise<string[]> {
  const found = await sql`select where to_regclass('kysely_migration') is not null`.execute(db);
  if (found.rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
