import type { Database } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";

import type { HeadKey } from "./failedHead";

interface RoundBudget {
  /** Why no round may be sent. */
  reason: HeldReason | null;
  /** The number of the next round. */
  number: number;
  /** The most rounds of a change, of both kinds. */
  maxRounds: number;
  /** Whether the checks of the commit, or its gate, as last recorded, have failed. */
  hasFailed: boolean;
  /** The fingerprints of the failures that were sent before. */
  fingerprints: string[];
}

/** Reads whether the project allows another round for a change. */
export async function readRoundBudget(
  db: Kysely<Database>,
  { organizationId, changeId, kind, head }: HeadKey,
): Promise<RoundBudget> {
  const hasFailed =
    kind === "gate"
      ? sql`change.gate_state = 'failed' and change.gate_is_automatic and change.gate_held_reason is null`
      : sql`exists (
        select from pull_requests as pull
        where pull.organization_id = change.organization_id and pull.change_id = change.id
          and pull.checked_head = ${head} and pull.checks = 'failed')`;
  const { rows } = await sql<{ max_rounds: number; fingerprints: string[]; has_failed: boolean }>`
    select project.max_rounds, ${hasFailed} as has_failed,
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
    has_failed,
  } = rows[0] ?? {
    max_rounds: 0,
    fingerprints: [],
    has_failed: false,
  };
  const sent = fingerprints.length;
  const reason = maxRounds === 0 ? "off" : sent >= maxRounds ? "spent" : null;
  return { reason, number: sent + 1, maxRounds, hasFailed: has_failed, fingerprints };
}
