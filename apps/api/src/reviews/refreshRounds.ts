import { type Database, notification } from "@grove/db";
import type { CommandReason } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { ChangeKey } from "../changes/row";

/** Reasons with which a device refuses a round before it gives any of it to the agent. */
const REFUSALS: readonly CommandReason[] = [
  ...(["agent_needs_input", "agent_working", "input_not_read", "invalid_params", "no_such_session"] as const),
  ...(["not_an_agent", "session_ended", "too_long", "unsupported_tool", "workspace_not_found"] as const),
  ...(["worktree_missing", "worktree_unreadable"] as const),
];

/**
 * Records how the commands of a change's queued rounds have ended, and reports that to watchers. Commands are deleted
 * before rounds are. A round without its command, or whose command ended in another way than by a refusal, may have
 * reached the agent.
 */
export async function refreshRounds(
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<void> {
  await sql`
    with ended as (
      select round.id, coalesce(command.error ->> 'reason', command.status) as reason,
        case when command.status = 'succeeded' then 'delivered'
          when command.status in ('expired', 'canceled')
            or command.error ->> 'reason' = any(${REFUSALS}::text[]) then 'failed'
          else 'unknown' end as status
      from review_rounds as round left join device_commands as command
        on command.organization_id = round.organization_id and command.id = round.command_id
      where round.organization_id = ${organizationId} and round.change_id = ${changeId} and round.status = 'queued'
        and (command.id is null or command.status not in ('queued', 'claimed', 'running'))),
    changed as (
      update review_rounds as round set status = ended.status,
        reason = case when ended.status = 'delivered' then null else ended.reason end
      from ended where round.organization_id = ${organizationId} and round.id = ended.id and round.status = 'queued'
      returning round.id),
    updated as (
      update review_comments set updated_at = now()
      where organization_id = ${organizationId} and round_id in (select id from changed))
    select ${notification("attention", organizationId)} as announced
    where exists (select from changed)`.execute(db);
}
