import type { Database } from "@grove/db";
import { newId, notification } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { MemberKey } from "../organizations/row";
import { ruleNotFound } from "./rules";

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
