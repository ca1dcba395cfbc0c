import type { Database } from "@grove/db";
import type { Transaction } from "kysely";
import { sql } from "kysely";

/** Withdraws the open requests of a session that has ended. */
export async function withdrawRequests(
  trx: Transaction<Database>,
  { organizationId, sessionId }: { organizationId: string; sessionId: string },
): Promise<void> {
  await trx
    .updateTable("agent_requests")
    .set({ status: "withdrawn", settled_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("session_id", "=", sessionId)
    .where("status", "=", "open")
    .execute();
}
