import type { Database } from "@grove/db";
import type { NotificationDelivery } from "@grove/schemas";
import type { Kysely } from "kysely";
import type { MemberKey } from "../organizations/row";

const MAX_LISTED_DELIVERIES = 20;

/** Lists the last notifications to a member, newest first. */
export async function listDeliveries(
  db: Kysely<Database>,
  { organizationId, userId }: MemberKey,
): Promise<NotificationDelivery[]> {
  const rows = await db
    .selectFrom("notification_outbox")
    .select([
      "id",
      "channel",
      "kind",
      "session_id",
      "request_id",
      "delivery_state",
      "error",
      "created_at",
      "sent_at",
    ])
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(MAX_LISTED_DELIVERIES)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    channel: row.channel,
    kind: row.kind,
    sessionId: row.session_id,
    requestId: row.request_id,
    state: row.delivery_state,
    error: row.error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }));
}
