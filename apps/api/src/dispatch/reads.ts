import { batch, type Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import { isInBatch, MAX_BATCH } from "./batch";
import type { CommandRow } from "./command";

/**
 * Reads a command's row, or undefined if the organization has no such command. Concurrent reads are one statement.
 * With the caller on one instance and the device on another, a command needs two reads; `pnpm bench instances`
 * measures them.
 */
export function batchReads(db: Kysely<Database>) {
  const statement = sql`
    select command.*
    from unnest(${"organizations"}::uuid[], ${"ids"}::uuid[]) with ordinality as asked (organization_id, id, n)
    join device_commands as command using (organization_id, id)
    where ${isInBatch}
  `.compile(db);
  return batch<{ organizationId: string; id: string }, CommandRow | undefined>(
    async (asked) => {
      const parameters = [asked.map(({ organizationId }) => organizationId), asked.map(({ id }) => id)];
      const { rows } = await db.executeQuery<CommandRow>({ ...statement, parameters });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return asked.map(({ organizationId, id }) => {
        const row = byId.get(id);
        return row?.organization_id === organizationId ? row : undefined;
      });
    },
    { most: MAX_BATCH },
  );
}
