import type { Database } from "@grove/db";
import type { Kysely } from "kysely";

/** Records the current size of a session's terminal. */
export async function recordSize(
  db: Kysely<Database>,
  { organizationId, id }: { organizationId: string; id: string },
  size: { columns: number; rows: number },
): Promise<void> {
  await db
    .updateTable("agent_sessions")
    .set(size)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}
