import type { Database } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { ChangeKey } from "../../changes/row";

/** A commit of a change. */
export interface HeadKey extends ChangeKey {
  head: string;
  /** When the read began that found it as the newest commit. */
  readAt: string;
}

/**
 * Finds the round for a commit's failed checks. `reason` is set if the agent cannot fix them: not delivered, or its
 * turn ended before this read without a new commit.
 */
export async function sentRound(
  db: Kysely<Database>,
  { organizationId, changeId, head, readAt }: HeadKey,
): Promise<{ reason: HeldReason | null } | undefined> {
  const { rows } = await sql<{ reason: HeldReason | null }>`
    select case
      when round.status in ('failed', 'unknown') then 'not_delivered'
      when round.status = 'delivered' and (session.status is distinct from 'running'
        or (session.activity in ('done', 'idle', 'limited', 'failed')
          and session.activity_since > round.created_at and session.activity_since < ${readAt}))
        then 'no_new_commit' end as reason
    from review_rounds as round left join agent_sessions as session
      on session.organization_id = round.organization_id and session.id = round.session_id
    where round.organization_id = ${organizationId} and round.change_id = ${changeId}
      and round.head = ${head}`.execute(db);
  return rows[0];
}

interface RoundBudget {
  /** Why no round may be sent. */
  reason: HeldReason | null;
  /** The number of the next round. */
  number: number;
  /** The most rounds of a change. */
  of: number;
  /** Whether the checks of the commit, as last recorded, have failed. */
  isRed: boolean;
  lastFingerprint: string | null;
}

/** Whether the project allows another round for a change. */
export async function readRoundBudget(
  db: Kysely<Database>,
  { organizationId, changeId, head }: HeadKey,
): Promise<RoundBudget> {
  const { rows } = await sql<{ of: number; sent: number; last: string | null; is_red: boolean }>`
    select project.max_rounds as of, count(round.id)::integer as sent,
      (array_agg(round.fingerprint order by round.number desc))[1] as last,
      exists (
        select from pull_requests as pull
        where pull.organization_id = change.organization_id and pull.change_id = change.id
          and pull.checked_head = ${head} and pull.checks = 'failed') as is_red
    from changes as change
    join projects as project
      on project.organization_id = change.organization_id and project.id = change.project_id
    left join review_rounds as round
      on round.organization_id = change.organization_id and round.change_id = change.id and round.kind = 'checks'
    where change.organization_id = ${organizationId} and change.id = ${changeId}
    group by change.organization_id, change.id, project.max_rounds`.execute(db);
  const { of, sent, last, is_red: isRed } = rows[0] ?? { of: 0, sent: 0, last: null, is_red: false };
  const reason = of === 0 ? "off" : sent >= of ? "spent" : null;
  return { reason, number: sent + 1, of, isRed, lastFingerprint: last };
}
