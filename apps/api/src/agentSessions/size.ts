import type { Database } from "@grove/db";
import type { Kysely } from "kysely";

/** Writes down how large a session's terminal is now. */
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
