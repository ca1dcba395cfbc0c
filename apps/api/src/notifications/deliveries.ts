import type { Database } from "@grove/db";
import { newId, notification } from "@grove/db";
import type { NotificationDelivery } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { MemberKey } from "../organizations/row";
import { ruleNotFound } from "./rules";

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

/**
 * Stores a test notification, which shows whether a rule's channel works.
 * @throws {GroveError} NOT_FOUND
 */
export async function enqueueTest(
  db: Kysely<Database>,
  { organizationId, userId }: MemberKey,
  ruleId: string,
): Promise<void> {
  const id = newId();
  const { rows } = await sql`
    with added as (
      insert into notification_outbox (organization_id, id, user_id, rule_id, channel, kind, dedupe)
      select organization_id, ${id}::uuid, user_id, id, channel, 'test', ${`test:${id}`}
      from notification_rules
      where organization_id = ${organizationId} and id = ${ruleId} and user_id = ${userId}
      returning organization_id)
    select ${notification("notification_due", sql`organization_id::text`)} as announced from added`.execute(
    db,
  );
  if (rows.length === 0) throw ruleNotFound(ruleId);
}
