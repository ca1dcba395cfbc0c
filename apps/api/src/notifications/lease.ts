import type { Database } from "@grove/db";
import type { MergeEndReason, NotificationChannel, NotificationDelivery } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { withAdvisoryLock } from "../lib/advisoryLock";
import { GROUPING_WINDOW } from "./enqueue";
import { canReadOutput, isRecipient, joinsOfSession } from "./recipients";

/** The duration of a lease. Must exceed the longest attempt: after it, another process may lease the notification. */
const LEASE = sql`interval '1 minute'`;
/** The most pushes to a user within an hour. The next one is a digest; further ones are suppressed. */
const HOURLY_PUSHES = sql.lit(20);

/** A requested merge that has ended. */
interface MergeSubject {
  number: number;
  branch: string;
  base: string;
  reason: MergeEndReason | null;
  /** Null once the workspace was deleted. */
  workspaceId: string | null;
}

/** A notification that this process sends now. */
export interface Leased {
  organization_id: string;
  id: string;
  user_id: string;
  channel: NotificationChannel;
  kind: NotificationDelivery["kind"];
  session_id: string | null;
  request_id: string | null;
  attempts: number;
  /** Whether this notification replaces those that the hourly limit holds back. */
  is_digest: boolean;
  rule_id: string;
  /** The rule's target, sealed. */
  sealed: string | null;
  slug: string;
  agent: string | null;
  workspace: string | null;
  /** The requested merge that the kinds `merged` and `blocked` are about. */
  merge: MergeSubject | null;
  /** The title of the request, if the user wants it in notifications and may read it. */
  text: string | null;
}

/* SQL about a notification of `due`, with the joins of `checked` below. */

/**
 * The open request that a notification shows. Requests that a session makes within {@link GROUPING_WINDOW} share a
 * notification. When the first is settled, the notification shows the next open one; snoozed ones come last.
 */
const openRequest = sql`
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

/** Whether the newest work in the session's workspace still has failed checks that a person must act on. */
const hasFailedChecks = sql`exists (
  select from changes as change left join pull_requests as pull
    on pull.organization_id = change.organization_id and pull.change_id = change.id
  where change.organization_id = session.organization_id and change.workspace_id = session.workspace_id
    and (change.gate_held_reason is not null
      or (pull.state in ('open', 'draft') and pull.checks = 'failed' and pull.checked_head = pull.held_checks_head)))`;

/** Why a notification is not sent now; null if it is sent. The first reason that applies is recorded. */
const reason = sql`
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
    when due.kind = 'checks_failed' and not ${hasFailedChecks} then 'settled'
    when due.kind not in ('needs_input', 'checks_failed') and session.activity is distinct from due.kind then 'settled'
    when due.kind <> 'needs_input' and due.channel = 'push' and presence.until > now() then 'present'
  end`;

/** How many pushes the user got in the hour before this one, including those that this statement leases first. */
const earlierPushes = sql`
  case when channel = 'push' and reason is null
    then (select count(*) from notification_outbox as pushed
        where pushed.user_id = checked.user_id and pushed.channel = 'push' and pushed.id <> checked.id
          and pushed.sent_at > now() - interval '1 hour')
      + row_number() over (partition by user_id, channel, reason is null order by not_before, id) - 1
    else 0
  end`;

/**
 * Leases up to `limit` notifications that are due. The same statement suppresses obsolete ones: the user must still be
 * a member with access to the session, and the agent must still wait, or be in the notification's state. A notification
 * about a snoozed request stays due until the snooze ends.
 *
 * An expired lease was lost with its process. Pushes and webhooks are then sent again, since receivers recognize a
 * repeated one by its id. Others may have arrived, and end as `unknown`. One process leases at a time, so that the
 * hourly limit is exact.
 */
export const leaseDue = (db: Kysely<Database>, limit: number): Promise<Leased[]> =>
  withAdvisoryLock(db, "notifying", async (trx) => {
    const { rows } = await sql<Leased & { delivery_state: string }>`
      with due as (
        select * from notification_outbox
        where (delivery_state = 'due' and not_before <= now()) or (delivery_state = 'sending' and leased_until < now())
        order by not_before limit ${limit}
        for update skip locked),
      checked as (
        select due.organization_id, due.id, due.not_before, due.user_id, due.channel, open_request.request_id,
          open_request.snoozed_until, organizations.slug, rule.sealed, session.agent, workspace.name as workspace,
          case when rule.show_text and ${canReadOutput} then open_request.title end as text,
          case when intent.id is not null then jsonb_build_object('number', intent.number, 'branch', changes.branch,
            'base', intent.base, 'reason', intent.reason, 'workspaceId', changes.workspace_id) end as merge,
          ${reason} as reason
        from due
        join organizations on organizations.id = due.organization_id
        join users on users.id = due.user_id
        join notification_rules as rule
          on rule.organization_id = due.organization_id and rule.id = due.rule_id
        left join memberships as member
          on member.organization_id = due.organization_id and member.user_id = due.user_id
        left join user_presence as presence on presence.user_id = due.user_id
        left join (agent_sessions as session ${joinsOfSession})
          on session.organization_id = due.organization_id and session.id = due.session_id
        left join (merge_intents as intent
            join changes on changes.organization_id = intent.organization_id and changes.id = intent.change_id)
          on intent.organization_id = due.organization_id and intent.id = due.merge_intent_id
        left join lateral (${openRequest}) as open_request on true),
      counted as (select checked.*, ${earlierPushes} as pushes from checked),
      decided as (
        select counted.*, case when pushes > ${HOURLY_PUSHES} then 'hourly_limit' else reason end as error
        from counted)
      update notification_outbox as leased
      set delivery_state = case
          when decided.error is null then 'sending'
          when decided.error = 'answer_lost' then 'unknown'
          when decided.error = 'snoozed' then 'due'
          else 'suppressed'
        end,
        not_before = case when decided.error = 'snoozed' then decided.snoozed_until else leased.not_before end,
        error = nullif(decided.error, 'snoozed'),
        leased_until = case when decided.error is null then now() + ${LEASE} end,
        sent_at = case when decided.error is null then now() else leased.sent_at end,
        attempts = leased.attempts + case when decided.error = 'snoozed' then 0 else 1 end,
        request_id = coalesce(decided.request_id, leased.request_id)
      from decided
      where leased.organization_id = decided.organization_id and leased.id = decided.id
      returning leased.organization_id, leased.id, leased.user_id, leased.channel, leased.kind, leased.session_id,
        leased.request_id, leased.attempts, leased.delivery_state, leased.rule_id,
        decided.pushes = ${HOURLY_PUSHES} as is_digest,
        decided.sealed, decided.slug, decided.agent, decided.workspace, decided.merge,
        decided.text`.execute(trx);
    return rows.filter(({ delivery_state }) => delivery_state === "sending");
  });
