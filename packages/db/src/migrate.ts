import { type Kysely, Migrator } from "kysely";
import { MigrationError } from "./errors";
import { migrations } from "./migrations";
import type { Database } from "./tables";

/**
 * Brings the database to this version's schema. Safe when several processes do so at once: one works, the others wait.
 * @throws {MigrationError} when one fails; nothing of it, nor of those after it, is kept
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find(({ status }) => status === "Error")?.migrationName;
  const reason = error instanceof Error ? error.message : String(error);
  throw new MigrationError(failed ? `Migration ${failed} failed: ${reason}` : reason, { cause: error });
}
