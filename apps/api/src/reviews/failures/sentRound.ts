import type { Database } from "@grove/db";
import type { HeldReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { HeadKey } from "./failedHead";

/**
 * Finds the round for a commit's failed checks or gate. `reason` is set if the agent cannot fix them: not delivered,
 * its turn ended before this read without a new commit, or the gate failed for the same files again.
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
