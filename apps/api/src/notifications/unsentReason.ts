import { type RawBuilder, sql } from "kysely";
import { GROUPING_WINDOW } from "./enqueue";
import { isRecipient } from "./recipients";

/* SQL about a notification of `due`, with the joins of `lease.ts`. */

/**
 * The open request that a notification shows. Requests that a session makes within {@link GROUPING_WINDOW} share a
 * notification. When the first is settled, the notification shows the next open one; snoozed ones come last.
 */
export const openRequest = sql`
  select other.id as request_id, other.title, mark.until as snoozed_until
  from agent_requests as asked
  join agent_requests as other
    on other.organization_id = asked.organization_id and other.session_id = asked.session_id
  left join request_marks as mark
    on mark.organization_id = other.organization_id and mark.request_id = other.id
    and mark.user_id = due.user_id and mark.until > now()
  where asked.organization_id = due.organization_id and asked.id = due.request_id
    and other.status = 'open' and other.expires_at > now()
    and other.created_at between asked.created_at - ${GROUPING_WINDOW} and asked.created_at + ${GROUPING_WINDOW}
  order by mark.until nulls first, other.id <> asked.id, other.created_at
  limit 1`;

/** Whether the newest work in the session's workspace still has failed checks or a failed gate for a person to fix. */
const hasFailure = sql`exists (
  select from changes as change left join pull_requests as pull
    on pull.organization_id = change.organization_id and pull.change_id = change.id
  where change.organization_id = session.organization_id and change.workspace_id = session.workspace_id
    and (change.gate_held_reason is not null
      or (pull.state in ('open', 'draft') and pull.checks = 'failed' and pull.checked_head = pull.held_checks_head)))`;

/** Why a notification is not sent now; null if it is sent. The first reason that applies is recorded. */
export const unsentReason: RawBuilder<string | null> = sql`
  case
    -- Its lease has expired. Receivers on these channels cannot recognize a repeated notification.
    when due.delivery_state = 'sending' and due.channel not in ('push', 'webhook') then 'answer_lost'
    when member.user_id is null or users.disabled_at is not null then 'not_allowed'
    when due.kind = 'test' then null
    when due.merge_intent_id is not null then
      case when due.channel = 'push' and presence.until > now() then 'present' end
    when session.id is null or not ${isRecipient} then 'not_allowed'
    when due.request_id is not null and open_request.request_id is null then 'settled'
    when open_request.snoozed_until is not null then 'snoozed'
    -- The agent is no longer in the state that the notification is about.
    when due.request_id is null and due.kind = 'needs_input' and session.activity not like 'needs%' then 'settled'
    when due.kind = 'checks_failed' and not ${hasFailure} then 'settled'
    when due.kind not in ('needs_input', 'checks_failed') and session.activity is distinct from due.kind then 'settled'
    when due.kind <> 'needs_input' and due.channel = 'push' and presence.until > now() then 'present'
  end`;
