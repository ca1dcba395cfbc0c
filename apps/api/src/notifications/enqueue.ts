import { type Database, notification } from "@grove/db";
import type { AgentReportSessionInput } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { notBefore } from "./notBefore";
import { isRecipient, joinsOfSession } from "./recipients";

type StateReport = Extract<AgentReportSessionInput, { type: "state" }>;

/** Requests that one session makes within this time share one notification. */
export const GROUPING_WINDOW = sql`interval '10 seconds'`;

/** The subject of notifications, of which one is stored for each rule. */
interface Subject {
  kind: string;
  requestId: string | null;
  subject: string;
}

/**
 * Stores the notifications of a reported state, for the rules that apply to its session. Idempotent: a device that
 * repeats a report completes what an earlier attempt did not store.
 */
export async function enqueueNotifications(
  db: Kysely<Database>,
  { organizationId, ...report }: StateReport & { organizationId: string },
): Promise<void> {
  const subjects = subjectsOf(report);
  if (subjects.length === 0) return;
  await sql`
    with subject as (
      select * from jsonb_to_recordset(${JSON.stringify(subjects)}::jsonb) as subject (
        kind text, "requestId" uuid, subject text)),
    matching as (
      select rule.organization_id, rule.id as rule_id, rule.user_id, rule.channel, subject.kind,
        session.id as session_id, request.id as request_id, request.created_at as asked_at,
        subject.subject || ':' || rule.user_id || ':' || rule.id as dedupe, ${notBefore} as not_before
      from agent_sessions as session
      ${joinsOfSession}
      cross join subject
      left join agent_requests as request
        on request.organization_id = session.organization_id and request.id = subject."requestId"
      join notification_rules as rule
        on rule.organization_id = session.organization_id and subject.kind = any(rule.kinds)
      join memberships as member
        on member.organization_id = rule.organization_id and member.user_id = rule.user_id
      left join user_presence as presence on presence.user_id = rule.user_id
      where session.organization_id = ${organizationId} and session.id = ${report.id} and session.status = 'running'
        and session.activity_number = ${report.number}
        and (subject."requestId" is null or (request.status = 'open' and request.session_id = session.id))
        and ${isRecipient}),
    added as (
      insert into notification_outbox (organization_id, id, user_id, rule_id, channel, kind, session_id, request_id,
        dedupe, not_before)
      select distinct on (rule_id, kind) organization_id, gen_random_uuid(), user_id, rule_id, channel, kind,
        session_id, request_id, dedupe, not_before
      from matching
      where not exists (
        select from notification_outbox as earlier
        left join agent_requests as asked
          on asked.organization_id = earlier.organization_id and asked.id = earlier.request_id
        where earlier.organization_id = matching.organization_id and earlier.session_id = matching.session_id
          and earlier.rule_id = matching.rule_id
          and (earlier.dedupe = matching.dedupe
            or (earlier.kind = matching.kind and earlier.delivery_state in ('due', 'sending', 'sent')
              and case when matching.request_id is null then earlier.created_at > now() - ${GROUPING_WINDOW}
                else asked.created_at between matching.asked_at - ${GROUPING_WINDOW} and matching.asked_at + ${GROUPING_WINDOW}
                  and (asked.settled_at is null or asked.settled_at > matching.asked_at) end)))
      order by rule_id, kind, asked_at
      on conflict (organization_id, dedupe) do nothing
      returning organization_id)
    select ${notification("notification_due", sql`organization_id::text`)} as announced
    from added group by organization_id`.execute(db);
}

/** Returns the subjects of a report's notifications. */
function subjectsOf({ id, number, state, requests }: StateReport): Subject[] {
  const ofState = (kind: string): Subject => ({ kind, requestId: null, subject: `${id}:${number}` });
  if (state === "done" || state === "limited" || state === "failed") return [ofState(state)];
  if (requests.length > 0)
    return requests.map((request) => ({ kind: "needs_input", requestId: request.id, subject: request.id }));
  // This agent has no hooks: only its screen shows that it waits.
  return state === "needs_permission" || state === "needs_answer" ? [ofState("needs_input")] : [];
}
