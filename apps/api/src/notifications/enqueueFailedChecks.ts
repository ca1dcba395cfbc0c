import { type Database, notification } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { notBefore } from "./notBefore";
import { isRecipient, joinsOfSession } from "./recipients";

/**
 * Stores the notifications that a person must act on failed checks or a failed gate, for the rules that apply to the
 * newest session in the workspace of the change. Does nothing if it was called before with the same `head`.
 * @param head the commit, or an id of the files that the gate failed for
 */
export async function enqueueFailedChecks(
  trx: Transaction<Database>,
  { organizationId, changeId, head }: { organizationId: string; changeId: string; head: string },
): Promise<void> {
  await sql`
    with newest as (
      select session.* from changes as change
      join agent_sessions as session
        on session.organization_id = change.organization_id and session.workspace_id = change.workspace_id
      where change.organization_id = ${organizationId} and change.id = ${changeId}
      order by session.status = 'running' desc, session.created_at desc limit 1),
    added as (
      insert into notification_outbox (organization_id, id, user_id, rule_id, channel, kind, session_id, dedupe,
        not_before)
      select rule.organization_id, gen_random_uuid(), rule.user_id, rule.id, rule.channel, 'checks_failed', session.id,
        'checks_failed:' || ${changeId}::text || ':' || ${head}::text || ':' || rule.id, ${notBefore}
      from newest as session
      ${joinsOfSession}
      join notification_rules as rule
        on rule.organization_id = session.organization_id and 'checks_failed' = any(rule.kinds)
      join memberships as member
        on member.organization_id = rule.organization_id and member.user_id = rule.user_id
      left join user_presence as presence on presence.user_id = rule.user_id
      where ${isRecipient}
      on conflict (organization_id, dedupe) do nothing
      returning organization_id)
    select ${notification("notification_due", sql`organization_id::text`)} as announced
    from added group by organization_id`.execute(trx);
}
