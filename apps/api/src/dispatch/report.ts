import { type DevicePrincipal, GroveError } from "@grove/auth";
import { notification } from "@grove/db";
import {
  type agentCompleteInput,
  type agentProgressInput,
  type CommandStatus,
  isSettled,
  statesBefore,
} from "@grove/schemas";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import type { Services } from "../services";
import { type CommandRow, readCommand } from "./commands";

/** Which command, and the journal that must have claimed it: the fence. */
interface Report {
  id: string;
  journalId: string;
}

/** The device has begun the work. */
export const reportStart = (services: Services, device: DevicePrincipal, report: Report) =>
  transition(services, device, report, "running", sql`started_at = coalesce(started_at, now())`);

/** One line of progress; it implies the start. */
export async function reportProgress(
  services: Services,
  device: DevicePrincipal,
  report: z.infer<typeof agentProgressInput>,
): Promise<CommandStatus> {
  const progress = {
    message: report.message,
    fraction: report.fraction ?? null,
    at: new Date().toISOString(),
  };
  const set = sql`started_at = coalesce(started_at, now()), progress = ${JSON.stringify(progress)}::jsonb`;
  return transition(services, device, report, "running", set, ["claimed", "running"]);
}

/** The work has ended; it implies the start. Reporting again is harmless: the state that holds is answered. */
export async function reportEnd(
  services: Services,
  device: DevicePrincipal,
  report: z.infer<typeof agentCompleteInput>,
): Promise<CommandStatus> {
  const to: CommandStatus = report.canceled ? "canceled" : report.error ? "failed" : "succeeded";
  const result = report.result === undefined ? null : JSON.stringify(report.result);
  const error = report.error === undefined ? null : JSON.stringify(report.error);
  const status = await transition(
    services,
    device,
    report,
    to,
    sql`started_at = coalesce(started_at, claimed_at), finished_at = now(),
      result = ${result}::jsonb, error = ${error}::jsonb`,
  );
  if (status !== to) await keepLateResult(services, device, report);
  return status;
}

/**
 * One conditional UPDATE from the states that may lead to `to`; answers the state that now holds. Who waits in this
 * process for the end is handed the row itself.
 */
async function transition(
  services: Services,
  device: DevicePrincipal,
  { id, journalId }: Report,
  to: CommandStatus,
  set: RawBuilder<unknown>,
  from: CommandStatus[] = statesBefore(to),
): Promise<CommandStatus> {
  const handOver = isSettled(to) && services.dispatch.isAwaited(id);
  const update = sql<CommandRow>`
    with changed as (
      update device_commands set status = ${to}, ${set}
      where organization_id = ${device.organizationId} and id = ${id} and device_id = ${device.deviceId}
        and journal_id = ${journalId} and status = any(${from}::text[])
      returning ${handOver || services.metrics ? sql`*` : sql`id, status`})
    select changed.*, ${notification("command_changed", sql`id::text || ' ' || status`)} from changed
  `;
  const run = async () => (await update.execute(services.database.db)).rows[0];
  const row = await (handOver ? services.dispatch.handOver(id, run) : run());
  if (row) services.dispatch.acknowledged(device.deviceId, id);
  if (row?.finished_at) services.metrics?.settled(row.status, [secondsOf(row)]);
  return row?.status ?? (await fenced(services, device, { id, journalId })).status;
}

const secondsOf = ({ created_at, finished_at }: CommandRow): number =>
  (Date.parse(finished_at ?? created_at) - Date.parse(created_at)) / 1_000;

/**
 * The row, for the journal that claimed it.
 * @throws NOT_FOUND for another device's command, CONFLICT `journal_mismatch` for another journal's
 */
async function fenced(
  services: Services,
  device: DevicePrincipal,
  { id, journalId }: Report,
): Promise<CommandRow> {
  const row = await readCommand(services.database.db, device.organizationId, id);
  if (row.device_id !== device.deviceId) throw new GroveError("NOT_FOUND", `There is no command ${id}.`);
  if (row.journal_id !== journalId)
    throw new GroveError("CONFLICT", `Command ${id} was not given to the journal ${journalId}. Forget it.`, {
      reason: "journal_mismatch",
    });
  return row;
}

/** What a device still says of a command that was settled without it is kept beside the answer, once. */
async function keepLateResult(
  services: Services,
  device: DevicePrincipal,
  report: z.infer<typeof agentCompleteInput>,
): Promise<void> {
  const { result, error, canceled } = report;
  await services.database.db
    .updateTable("device_commands")
    .set({ late_result: JSON.stringify(error ? { error } : canceled ? { canceled } : { result }) })
    .where("organization_id", "=", device.organizationId)
    .where("device_id", "=", device.deviceId)
    .where("id", "=", report.id)
    .where("journal_id", "=", report.journalId)
    .where("status", "in", ["timed_out", "canceled"])
    .where("late_result", "is", null)
    .execute();
}
