import type { Database } from "@grove/db";
import type { Transaction } from "kysely";
import { sql } from "kysely";

/** Withdraws the open requests of sessions that have ended. */
export async function withdrawRequests(
  trx: Transaction<Database>,
  organizationId: string,
  sessionIds: readonly string[],
): Promise<void> {
  if (sessionIds.length === 0) return;
  await trx
    .updateTable("agent_requests")
    .set({ status: "withdrawn", settled_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("session_id", "in", sessionIds)
    .where("status", "=", "open")
    .execute();
}
