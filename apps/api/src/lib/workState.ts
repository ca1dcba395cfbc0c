import { type WorkState, waitingStates, workState as workStates } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";
import { CLOCK_SKEW } from "./clockSkew";

/* SQL of a change's state. It is not in `changes`, since `tasks` uses it too, and `changes` imports `tasks`. */

/**
 * The state of the row `changes` of the surrounding query: the most urgent one whose cause exists. Only the newest pull
 * request counts. Finished work is ready for review until it is approved, or its pull request ends. An open pull
 * request is ready once its checks have passed and no agent works. An agent that only its terminal reports as waiting
 * may be at an empty prompt, so that does not count. Failed checks are red unless they were sent to an agent. The gate
 * counts if it failed for the newest commit or, where that is not known, since the work was finished. It also counts if
 * an agent could not fix it, until an agent works. Work is not ready while the gate runs. A pull request in the code
 * host's queue does not wait for people.
 */
export const workState: RawBuilder<WorkState> = sql`(
  select case
    when sessions.needs_input then 'needs_input'
    when pull.checks = 'failed' and pull.is_open and round.is_repair is not true then 'checks_failed'
    when changes.gate_state = 'failed'
      and (changes.finished_at is not null or (changes.gate_held_reason is not null and sessions.work is not true))
      and (pull.ended_at is null or coalesce(changes.finished_at, changes.gate_at) > pull.ended_at)
      and case when pull.is_open and changes.gate_head is not null then changes.gate_head = pull.checked_head
        else changes.gate_at > coalesce(changes.finished_at, '-infinity') end then 'checks_failed'
    when pull.has_conflicts and pull.is_open then 'conflicts'
    when pull.is_queued and pull.is_open then 'merging'
    when changes.finished_at > pull.ended_at and not gate.runs then 'ready'
    when changes.finished_at is not null and not gate.runs and pull.ended_at is null and pull.is_approved is not true
      and (changes.workspace_id is not null or pull.is_open) then 'ready'
    when changes.finished_at is null and round.is_with_agent then 'changes_requested'
    when sessions.work then 'working'
    when gate.runs then 'gate'
    when pull.checks = 'running' and pull.is_open then 'checks'
    when pull.is_approved then 'approved'
    when pull.state = 'open' and pull.checks in ('passed', 'none') then 'ready'
    when pull.state = 'merged' then 'merged'
    when pull.state = 'closed' then 'closed'
    else 'idle' end
  from (
      select bool_or(activity in ('needs_permission', 'needs_answer') and activity_source <> 'screen') as needs_input,
        bool_or(activity = 'working') as work
      from agent_sessions
      where agent_sessions.organization_id = changes.organization_id
        and agent_sessions.workspace_id = changes.workspace_id and agent_sessions.status = 'running') as sessions
    cross join lateral (select changes.gate_state is not distinct from 'running' as runs) as gate
    left join lateral (
      select newest.*, newest.state in ('open', 'draft') as is_open,
        case when newest.state in ('merged', 'closed') then
          coalesce(newest.done_at, coalesce(newest.merged_at, newest.updated_at) + ${CLOCK_SKEW}) end as ended_at,
        newest.state in ('open', 'draft') and exists (
          select from approvals join memberships
            on memberships.organization_id = approvals.organization_id and memberships.user_id = approvals.user_id
          where approvals.organization_id = changes.organization_id and approvals.change_id = changes.id
            and approvals.head = newest.checked_head and approvals.base = newest.base) as is_approved
      from pull_requests as newest
      where newest.organization_id = changes.organization_id and newest.change_id = changes.id
      order by newest.number desc limit 1) as pull on true
    left join lateral (
      select newest.kind = 'checks' and newest.is_with_agent as is_repair, newest.is_with_agent
      from (
        select review_rounds.kind, review_rounds.status in ('queued', 'delivered') and exists (
            select from agent_sessions as reviewed
            where reviewed.organization_id = changes.organization_id and reviewed.id = review_rounds.session_id
              and reviewed.status = 'running')
          and (review_rounds.kind = 'review'
            or (review_rounds.kind = 'gate' and changes.gate_held_reason is null)
            or (review_rounds.kind = 'checks' and review_rounds.head = pull.checked_head
              and pull.held_checks_head is distinct from pull.checked_head))
          as is_with_agent
        from review_rounds
        where review_rounds.organization_id = changes.organization_id and review_rounds.change_id = changes.id
        order by review_rounds.number desc limit 1) as newest) as round on true)`;

/** The most urgent state of the changes of the row `tasks`. Null without changes. */
export const changeState: RawBuilder<WorkState | null> = sql`(
  select (${workStates.options}::text[])[min(array_position(${workStates.options}::text[], ${workState}))]
  from changes where changes.organization_id = tasks.organization_id and changes.task_id = tasks.id)`;

/** Whether the row `changes` waits for people. Only changes with a workspace or an open pull request do. */
export const waitsForPeople = (organizationId: string): RawBuilder<boolean> => sql`(
  changes.id in (
    select id from changes as checked_out
    where checked_out.organization_id = ${organizationId} and checked_out.workspace_id is not null
    union
    select change_id from pull_requests
    where organization_id = ${organizationId} and state in ('open', 'draft') and change_id is not null)
  and ${workState} = any(${waitingStates}::text[]))`;
