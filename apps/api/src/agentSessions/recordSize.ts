import { type Database, notification } from "@grove/db";
import { type Kysely, sql } from "kysely";

/** Records the current size of a session's terminal, and announces it to its viewers. */
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
    .returning(notification("session_changed", sql<string>`id::text`).as("announced"))
    .execute();
}
