import type { Database } from "@grove/db";
import type { MergeEndReason, NotificationChannel, NotificationDelivery } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { withAdvisoryLock } from "../lib/advisoryLock";
import { canReadOutput, joinsOfSession } from "./recipients";
import { openRequest, unsentReason } from "./unsentReason";

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

/* The steps of the statement, each a CTE that reads the one before. */

/** Notifications that are due, and those whose lease has expired. Other processes skip them. */
const due = (limit: number) => sql`
  select * from notification_outbox
  where (delivery_state = 'due' and not_before <= now()) or (delivery_state = 'sending' and leased_until < now())
  order by not_before limit ${limit}
  for update skip locked`;

/** The requested merge `intent` that a notification is about. */
const merge = sql`
  case when intent.id is not null then jsonb_build_object('number', intent.number, 'branch', changes.branch,
    'base', intent.base, 'reason', intent.reason, 'workspaceId', changes.workspace_id) end`;

/** The content of each notification, and why it is not sent now. */
const checked = sql`
  select due.organization_id, due.id, due.not_before, due.user_id, due.channel, open_request.request_id,
    open_request.snoozed_until, organizations.slug, rule.sealed, session.agent, workspace.name as workspace,
    case when rule.show_text and ${canReadOutput} then open_request.title end as text,
    ${merge} as merge, ${unsentReason} as reason
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
  left join lateral (${openRequest}) as open_request on true`;

/** `pushes`: how many the user got in the hour before this one, with those that this statement leases first. */
const counted = sql`
  select checked.*, case when channel = 'push' and reason is null
    then (select count(*) from notification_outbox as pushed
        where pushed.user_id = checked.user_id and pushed.channel = 'push' and pushed.id <> checked.id
          and pushed.sent_at > now() - interval '1 hour')
      + row_number() over (partition by user_id, channel, reason is null order by not_before, id) - 1
    else 0 end as pushes
  from checked`;

/** `error`: why a notification is not sent, with the hourly limit; null if this process sends it. */
const decided = sql`
  select counted.*, case when pushes > ${HOURLY_PUSHES} then 'hourly_limit' else reason end as error from counted`;

/** The columns of a notification after the decision. A snoozed one stays due until the snooze ends. */
const changedColumns = sql`
  delivery_state = case
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
  request_id = coalesce(decided.request_id, leased.request_id)`;

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
      with due as (${due(limit)}), checked as (${checked}), counted as (${counted}), decided as (${decided})
      update notification_outbox as leased set ${changedColumns}
      from decided
      where leased.organization_id = decided.organization_id and leased.id = decided.id
      returning leased.organization_id, leased.id, leased.user_id, leased.channel, leased.kind, leased.session_id,
        leased.request_id, leased.attempts, leased.delivery_state, leased.rule_id,
        decided.pushes = ${HOURLY_PUSHES} as is_digest,
        decided.sealed, decided.slug, decided.agent, decided.workspace, decided.merge,
        decided.text`.execute(trx);
    return rows.filter(({ delivery_state }) => delivery_state === "sending");
  });
