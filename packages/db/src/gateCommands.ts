import { type DeviceToolName, openStatuses } from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";

/*
 * A change has the state of the newest `run_gate` command on its workspace. The statement that changes a command copies
 * its state to the change: these are the parts of such statements.
 */

const TOOL = sql.lit("run_gate" satisfies DeviceToolName);
const hasEnded = sql`command.status not in (${sql.join(openStatuses.map((status) => sql.lit(status)))})`;

/** The workspace of a new `run_gate` command; null for other tools. For the `returning` of {@link startGates}'s CTE. */
export const gateWorkspaceId = sql`case when tool = ${TOOL} then (params ->> 'workspaceId')::uuid end`;

/**
 * Records that gates run on changes. If several commands are new for a workspace, the newest counts.
 * @param inserted a CTE of new commands with `id`, `organization_id`, `device_id` and `gate_workspace_id`
 */
export const startGates = (inserted: string): RawBuilder<unknown> => sql`
  update changes set gate_command_id = command.id, gate_state = 'running', gate_head = null, gate_at = now(),
    gate_is_automatic = false, gate_skipped = null, gate_held_reason = null, updated_at = now()
  from (
    select distinct on (organization_id, device_id, gate_workspace_id) id, organization_id, device_id, gate_workspace_id
    from ${sql.table(inserted)} where gate_workspace_id is not null
    order by organization_id, device_id, gate_workspace_id, id desc) as command
  where changes.organization_id = command.organization_id and changes.device_id = command.device_id
    and changes.workspace_id = command.gate_workspace_id`;

/**
 * Records how gates ended on changes. A script that did not run, or whose end is unknown, leaves no gate. If an agent's
 * finish had started it, the reason is kept.
 * @param changed a CTE of changed commands with `id`, `organization_id`, `tool`, `status`, and a gate's `result`
 */
export const endGates = (changed: string): RawBuilder<unknown> => sql`
  update changes set gate_command_id = case when ended.ran then ended.id end,
    gate_state = case when ended.ran then ended.outcome end, gate_head = case when ended.ran then ended.head end,
    gate_at = case when ended.ran then now() end, gate_is_automatic = gate_is_automatic and ended.ran,
    gate_skipped = case when ended.ran then gate_skipped when gate_is_automatic then ended.skipped end,
    updated_at = now()
  from (
    select command.organization_id, command.id, run.outcome, run.head,
      coalesce(command.status = 'succeeded' and run.outcome in ('passed', 'failed'), false) as ran,
      case run.outcome when 'none' then 'no_gate' when 'not_allowed' then 'not_allowed' else 'not_run' end as skipped
    from ${sql.table(changed)} as command
    cross join lateral (select command.result ->> 'outcome' as outcome, command.result ->> 'head' as head) as run
    where command.tool = ${TOOL} and ${hasEnded}) as ended
  where changes.organization_id = ended.organization_id and changes.gate_command_id = ended.id`;
