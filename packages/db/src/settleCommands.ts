import {
  type CommandError,
  type CommandStatus,
  deviceToolNames,
  forgottenParam,
  openStatuses,
  statesBefore,
} from "@grove/schemas";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { deviceNotification } from "./deviceWake";
import { endGates } from "./gateCommands";
import { notification } from "./notifier";
import type { Database } from "./tables";

/** A command that has ended, and how many seconds after its submission. */
export interface SettledCommand {
  status: CommandStatus;
  seconds: number;
}

/** How commands end without a device's report. */
export interface Settling {
  to: Exclude<CommandStatus, (typeof openStatuses)[number] | "succeeded">;
  /** A condition on `device_commands`, for commands in a state from which `to` can be reached. */
  which: RawBuilder<unknown>;
  error: CommandError;
}

/** Written as literals, so that the planner can always use the index of open commands. */
const inOneOf = (statuses: readonly CommandStatus[]) =>
  sql`status in (${sql.join(statuses.map((status) => sql.lit(status)))})`;

const isOpen = inOneOf(openStatuses);

/** No device was ever given the command. A requeued command may have been begun by a device. */
const isUntouched = sql`status = 'queued' and attempt = 0`;

/** The parameters of a settled command, without typed text, which may be a password. */
export const settledParams = sql`case tool ${sql.join(
  deviceToolNames.flatMap((tool) => {
    const forgotten = forgottenParam(tool);
    return forgotten === undefined ? [] : [sql`when ${sql.lit(tool)} then params - ${sql.lit(forgotten)}`];
  }),
  sql` `,
)} else params end`;

const seconds = sql`extract(epoch from finished_at - created_at)::float8 as seconds`;

/**
 * Settles open commands along `commandTransitions`. Notifies the callers that wait, and the device that may have the
 * command. That device ends the work, and its report is kept beside the answer.
 */
export async function settleCommands(
  db: Kysely<Database>,
  { to, which, error }: Settling,
): Promise<SettledCommand[]> {
  const openStates = statesBefore(to).filter((state) => openStatuses.some((open) => open === state));
  const { rows } = await sql<SettledCommand>`
    with settled as (
      update device_commands set status = ${to}, finished_at = now(), error = ${JSON.stringify(error)}::jsonb,
        params = ${settledParams}
      where ${inOneOf(openStates)} and ${which}
      returning organization_id, id, device_id, tool, journal_id, status, result, ${seconds}),
    gates as (${endGates("settled")})
    select status, seconds, ${notification("command_changed", sql`id || ' ' || status`)} as announced,
      case when journal_id is not null then ${deviceNotification(sql`device_id`, { kind: "settled", value: sql`id` })} end as announced_device
    from settled
  `.execute(db);
  return rows.map(({ status, seconds }) => ({ status, seconds }));
}

/**
 * Cancels open commands. A command that was never sent is canceled immediately. A device that may have a command,
 * also a requeued one, is notified to end it, and its report settles the command.
 * @param error the reason, for commands that are canceled immediately; null if their caller asked for it
 * @returns the commands that were canceled immediately
 */
export async function cancelCommands(
  db: Kysely<Database>,
  which: RawBuilder<unknown>,
  error: CommandError | null = null,
): Promise<SettledCommand[]> {
  const { rows } = await sql<SettledCommand>`
    with changed as (
      update device_commands set cancel_requested_at = coalesce(cancel_requested_at, now()),
        status = case when ${isUntouched} then 'canceled' else status end,
        finished_at = case when ${isUntouched} then now() end,
        params = case when ${isUntouched} then ${settledParams} else params end,
        error = case when ${isUntouched} then ${error && JSON.stringify(error)}::jsonb end
      where ${isOpen} and ${which}
      returning organization_id, id, device_id, tool, status, result, ${seconds}),
    gates as (${endGates("changed")})
    select status, seconds, case when status = 'canceled'
      then ${notification("command_changed", sql`id || ' canceled'`)}
      else ${deviceNotification(sql`device_id`, { kind: "cancel", value: sql`id` })}
    end as announced from changed
  `.execute(db);
  return rows.flatMap(({ status, seconds }) => (status === "canceled" ? [{ status, seconds }] : []));
}
