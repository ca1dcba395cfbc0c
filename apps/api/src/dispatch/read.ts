import { type Database, gather } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { CommandRow } from "./commands";

/** Most commands in one statement: a result may have a megabyte. */
const MOST_AT_ONCE = 32;

/** Reads a command's row; undefined when the organization has no such command. Reads that come together are one statement. */
export function gatherReads(db: Kysely<Database>) {
  const statement = sql`
    select command.*
    from unnest(${"organizations"}::uuid[], ${"ids"}::uuid[]) with ordinality as asked (organization_id, id, n)
    join device_commands as command using (organization_id, id)
    -- All of them: of a range the planner expects few, and so looks each up by its index, however small the table.
    where n between 1 and ${sql.lit(MOST_AT_ONCE)}
  `.compile(db);
  return gather<{ organizationId: string; id: string }, CommandRow | undefined>(
    async (asked) => {
      const parameters = [asked.map(({ organizationId }) => organizationId), asked.map(({ id }) => id)];
      const { rows } = await db.executeQuery<CommandRow>({ ...statement, parameters });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return asked.map(({ organizationId, id }) => {
        const row = byId.get(id);
        return row?.organization_id === organizationId ? row : undefined;
      });
    },
    { most: MOST_AT_ONCE },
  );
}
