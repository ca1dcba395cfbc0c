import { type Database, gather } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { isOneOfFew, MOST_AT_ONCE } from "./batch";
import type { CommandRow } from "./command";

/** Reads a command's row; undefined when the organization has no such command. Reads that come together are one statement. */
export function gatherReads(db: Kysely<Database>) {
  const statement = sql`
    select command.*
    from unnest(${"organizations"}::uuid[], ${"ids"}::uuid[]) with ordinality as asked (organization_id, id, n)
    join device_commands as command using (organization_id, id)
    where ${isOneOfFew}
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
