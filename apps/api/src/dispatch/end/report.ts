import { credentialOf, type DevicePrincipal, GroveError, type MaybeCached } from "@grove/auth";
import { weekRange } from "@grove/db";
import {
  type AgentCompleteInput,
  type AgentProgressInput,
  type CommandStatus,
  statesBefore,
} from "@grove/schemas";
import { traceparent } from "@grove/tracing";
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../lib/notFound";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { readCommand } from "../readCommand";
import type { EndReport } from "./completions";
import { takeResultBytes } from "./resultBytes";

/** The states for these reasons in a device's report; other errors are failures. */
const statusOfReason = new Map<string, CommandStatus>([
  ["timed_out", "timed_out"],
  ["queue_expired", "expired"],
]);

/** The first report of a command that has begun sets the time at which its work began. */
const RUNNING = sql`status = 'running', started_at = coalesce(started_at, now())`;

/** The command, and the journal that must have claimed it: the fence. */
interface Report {
  id: string;
  journalId: string;
}

/** The device has begun the work. */
export const reportStart = (
  services: Pick<Services, "database" | "dispatch">,
  device: DevicePrincipal,
  report: Report,
) => change(services, device, report, RUNNING, statesBefore("running"));

/**
 * Records that the device runs these commands, which its journal had claimed. Skips rows that are locked: such a row is
 * being settled, or is reported with the next heartbeat.
 */
export async function reportStarts(
  services: Pick<Services, "database" | "dispatch">,
  device: DevicePrincipal,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) services.dispatch.streams.acknowledged(device.deviceId, id);
  const { rows } = await sql<{ id: string }>`
    with claimed as (
      select id from device_commands
      where organization_id = ${device.organizationId} and id = any(${ids}::uuid[]) and ${weekRange("id", ids)}
        and device_id = ${device.deviceId} and journal_id = ${device.journalId} and status = 'claimed'
      for update skip locked)
    update device_commands set ${RUNNING}
    where id in (select id from claimed) and ${weekRange("id", ids)}
    returning id
  `.execute(services.database.reserved);
  for (const { id } of rows) services.database.notifier.announce("command_changed", `${id} running`);
}

/** A line of progress, which implies the start unless the command still waits for a slot on the device. */
export async function reportProgress(
  services: Pick<Services, "database" | "dispatch">,
  device: DevicePrincipal,
  report: AgentProgressInput,
): Promise<CommandStatus> {
  const progress = {
    message: report.message,
    fraction: report.fraction ?? null,
    at: new Date().toISOString(),
  };
  const set = sql`progress = ${JSON.stringify(progress)}::jsonb`;
  return report.waiting
    ? change(services, device, report, sql`claimed_at = now(), ${set}`, ["claimed"])
    : change(services, device, report, sql`${RUNNING}, ${set}`, ["claimed", "running"]);
}

/** The work has ended, which implies the start. Reporting again is harmless: the response is the current state. */
export async function reportEnd(
  services: Services,
  device: MaybeCached<DevicePrincipal>,
  report: AgentCompleteInput,
): Promise<CommandStatus> {
  const { id, journalId, result, error, canceled } = report;
  const status: CommandStatus = canceled
    ? "canceled"
    : error
      ? (statusOfReason.get(error.reason) ?? "failed")
      : "succeeded";
  // Acknowledged before the write: the report has arrived, however long the database takes.
  const { completions, streams } = services.dispatch;
  streams.acknowledged(credentialOf(device).id, id);
  const end = ({ organizationId, deviceId, keyHash }: DevicePrincipal): EndReport => ({
    organization_id: organizationId,
    device_id: deviceId,
    key_hash: keyHash,
    id,
    journal_id: journalId,
    status,
    from_states: statesBefore(status),
    result,
    error,
    trace_parent: traceparent(),
  });
  const ended = await completions.handOver(id, () =>
    device.kind === "cached" ? device.verifiedIn(completions.settle, end) : completions.settle(end(device)),
  );
  if (ended) {
    services.metrics?.settled([{ status, seconds: ended.seconds }]);
    if (result) await takeResultBytes(services, ended.organizationId, result);
    return status;
  }
  // The key may no longer be valid. If it is still valid, the end is reported once more, and the row shows why it was
  // refused.
  if (device.kind === "cached") return reportEnd(services, await device.lookUp(), report);
  const command = await requireClaimedBy(services, device, report);
  // A report that only repeats the row is not kept twice.
  const isRepeated = command.status === status && command.error?.message === error?.message;
  // The announcement of the first report may have been lost with its response.
  if (isRepeated) services.database.notifier.announce("command_changed", `${id} ${status}`);
  else await keepLateResult(services, device, report);
  return command.status;
}

/** Changes a command in one of the states `from` with one conditional UPDATE. Returns the state after that. */
async function change(
  services: Pick<Services, "database" | "dispatch">,
  device: DevicePrincipal,
  { id, journalId }: Report,
  set: RawBuilder<unknown>,
  from: CommandStatus[],
): Promise<CommandStatus> {
  services.dispatch.streams.acknowledged(device.deviceId, id);
  const { rows } = await sql<{ status: CommandStatus }>`
    update device_commands set ${set}
    where organization_id = ${device.organizationId} and id = ${id} and ${weekRange("id", [id])}
      and device_id = ${device.deviceId} and journal_id = ${journalId} and status = any(${from}::text[])
    returning status
  `.execute(services.database.db);
  const changed = rows[0]?.status;
  if (changed === undefined) return (await requireClaimedBy(services, device, { id, journalId })).status;
  services.database.notifier.announce("command_changed", `${id} ${changed}`);
  return changed;
}

/**
 * Returns the command's row, and requires that this journal has claimed it.
 * @throws {GroveError} NOT_FOUND for another device's command, CONFLICT `journal_mismatch` for another journal's
 */
async function requireClaimedBy(
  services: Pick<Services, "dispatch">,
  device: DevicePrincipal,
  { id, journalId }: Report,
): Promise<CommandRow> {
  const row = await readCommand(services, device.organizationId, id);
  if (row.device_id !== device.deviceId) throw notFound("command", id);
  if (row.journal_id !== journalId)
    throw new GroveError(
      "CONFLICT",
      `Command ${id} was not claimed by the journal ${journalId}. Discard this report.`,
      {
        reason: "journal_mismatch",
      },
    );
  return row;
}

/**
 * Keeps a device's report of a command that was settled without it. The first such report is kept, beside the result.
 */
async function keepLateResult(
  services: Pick<Services, "database" | "log" | "quotas">,
  device: DevicePrincipal,
  report: AgentCompleteInput,
): Promise<void> {
  const { result, error, canceled } = report;
  await takeResultBytes(services, device.organizationId, result);
  await services.database.db
    .updateTable("device_commands")
    .set({ late_result: JSON.stringify(error ? { error } : canceled ? { canceled } : { result }) })
    .where("organization_id", "=", device.organizationId)
    .where("device_id", "=", device.deviceId)
    .where("id", "=", report.id)
    .where(weekRange("id", [report.id]))
    .where("journal_id", "=", report.journalId)
    .where((eb) =>
      eb.or([
        eb("status", "in", ["timed_out", "canceled", "expired", "lost"]),
        eb(sql`error ->> 'reason'`, "=", "not_started"),
      ]),
    )
    .where("late_result", "is", null)
    .where("result_removed_at", "is", null)
    .execute();
}
