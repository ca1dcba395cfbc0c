import { type Database, notification } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { notBefore } from "./notBefore";

/** Stores the notifications of a merge request that has ended, once, for the rules of the person who made it. */
export async function enqueueMergeEnd(
  trx: Transaction<Database>,
  organizationId: string,
  intentId: string,
): Promise<void> {
  await sql`
    with matching as (
      select rule.organization_id, rule.id as rule_id, rule.user_id, rule.channel, subject.kind,
        'merge:' || intent.id || ':' || rule.id as dedupe, ${notBefore} as not_before
      from merge_intents as intent
      join changes on changes.organization_id = intent.organization_id and changes.id = intent.change_id
      cross join lateral (select case intent.status when 'done' then 'merged' else 'blocked' end as kind) as subject
      join notification_rules as rule
        on rule.organization_id = intent.organization_id and rule.user_id = intent.requested_by
        and subject.kind = any(rule.kinds)
        and (rule.scope <> 'projects' or changes.project_id = any(rule.project_ids))
      left join user_presence as presence on presence.user_id = rule.user_id
      where intent.organization_id = ${organizationId} and intent.id = ${intentId}),
    added as (
      insert into notification_outbox
        (organization_id, id, user_id, rule_id, channel, kind, merge_intent_id, dedupe, not_before)
      select organization_id, gen_random_uuid(), user_id, rule_id, channel, kind, ${intentId}::uuid, dedupe,
        not_before
      from matching
      on conflict (organization_id, dedupe) do nothing
      returning organization_id)
    select ${notification("notification_due", sql`organization_id::text`)} as announced
    from added group by organization_id`.execute(trx);
}
