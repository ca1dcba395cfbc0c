import { type QueryExecutorProvider, sql } from "kysely";

/** The `up` of a migration that runs these statements in order. */
export const statements =
  (list: readonly string[]) =>
  async (db: QueryExecutorProvider): Promise<void> => {
    for (const statement of list) await sql.raw(statement).execute(db);
  };
