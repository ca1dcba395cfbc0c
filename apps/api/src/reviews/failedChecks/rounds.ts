import type { Database } from "@grove/db";
import type { ChecksRoundContent, HeldReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { ChangeKey } from "../../changes/row";

/** A commit of a change, with one kind of its failed checks. */
export interface HeadKey extends ChangeKey {
  kind: ChecksRoundContent["kind"];
  head: string;
  /** The start of the read that found this commit as the newest. */
  readAt: string;
}

/**
 * Finds the round for a commit's failed checks. `reason` is set if the agent did not fix them: the round was not
 * delivered, the agent's turn ended before this read without a new commit, or the repository's own check failed again
 * for the same files.
 */
export async function sentRound(
  db: Kysely<Database>,
  { organizationId, changeId, kind, head, readAt }: HeadKey,
): Promise<{ reason: HeldReason | null } | undefined> {
  const { rows } = await sql<{ reason: HeldReason | null }>`
    select case
      when round.kind = 'gate' and round.created_at < change.gate_at then 'same_failure'
      when round.status in ('failed', 'unknown') then 'not_delivered'
      when round.status = 'delivered' and (session.status is distinct from 'running'
        or (session.activity in ('done', 'idle', 'limited', 'failed')
          and session.activity_since > round.created_at and session.activity_since < ${readAt}))
        then case round.kind when 'gate' then 'not_finished' else 'no_new_commit' end end as reason
    from review_rounds as round
    join changes as change on change.organization_id = round.organization_id and change.id = round.change_id
    left join agent_sessions as session
      on session.organization_id = round.organization_id and session.id = round.session_id
    where round.organization_id = ${organizationId} and round.change_id = ${changeId}
      and round.kind = ${kind} and round.head = ${head}`.execute(db);
  return rows[0];
}

interface RoundBudget {
  /** Why no round may be sent. */
  reason: HeldReason | null;
  /** The number of the next round. */
  number: number;
  /** The most rounds of a change, of both kinds. */
  maxRounds: number;
  /** Whether the checks of the commit, as last recorded, have failed. */
  hasFailedChecks: boolean;
  /** The fingerprints of the failures that were sent before. */
  fingerprints: string[];
}

/** Reads whether the project allows another round for a change. */
export async function readRoundBudget(
  db: Kysely<Database>,
  { organizationId, changeId, kind, head }: HeadKey,
): Promise<RoundBudget> {
  const hasFailedChecks =
    kind === "gate"
      ? sql`change.gate_state = 'failed' and change.gate_is_automatic and change.gate_held_reason is null`
      : sql`exists (
        select from pull_requests as pull
        where pull.organization_id = change.organization_id and pull.change_id = change.id
          and pull.checked_head = ${head} and pull.checks = 'failed')`;
  const { rows } = await sql<{ max_rounds: number; fingerprints: string[]; has_failed_checks: boolean }>`
    select project.max_rounds, ${hasFailedChecks} as has_failed_checks,
      array(
        select round.fingerprint from review_rounds as round
        where round.organization_id = change.organization_id and round.change_id = change.id
          and round.kind <> 'review') as fingerprints
    from changes as change
    join projects as project
      on project.organization_id = change.organization_id and project.id = change.project_id
    where change.organization_id = ${organizationId} and change.id = ${changeId}`.execute(db);
  const {
    max_rounds: maxRounds,
    fingerprints,
    has_failed_checks,
  } = rows[0] ?? {
    max_rounds: 0,
    fingerprints: [],
    has_failed_checks: false,
  };
  const sent = fingerprints.length;
  const reason = maxRounds === 0 ? "off" : sent >= maxRounds ? "spent" : null;
  return { reason, number: sent + 1, maxRounds, hasFailedChecks: has_failed_checks, fingerprints };
}
