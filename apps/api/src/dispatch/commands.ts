import { GroveError } from "@grove/auth";
import type { DeviceCommandTable } from "@grove/db";
import {
  type Command,
  type CommandListed,
  type CommandStatus,
  isSettled,
  openStatuses,
  type WaitEnded,
} from "@grove/schemas";
import type { Selectable } from "kysely";
import type { Services } from "../services";

export type CommandRow = Selectable<DeviceCommandTable>;

/** A command's row as the API answers it. */
export const toCommand = (row: CommandRow, waitEnded: WaitEnded | null = null): Command => ({
  ...toListed(row),
  params: row.params,
  result: row.result,
  lateResult: row.late_result,
  waitEnded,
});

/** What of a command's row is listed: nothing that may be large. */
export const listedColumns = [
  "id",
  "device_id",
  "tool",
  "status",
  "error",
  "progress",
  "requested_by",
  "attempt",
  "created_at",
  "claimed_at",
  "started_at",
  "finished_at",
] as const;

export const toListed = (row: Pick<CommandRow, (typeof listedColumns)[number]>): CommandListed => ({
  id: row.id,
  deviceId: row.device_id,
  tool: row.tool,
  status: row.status,
  error: row.error,
  progress: row.progress,
  requestedBy: row.requested_by,
  attempt: row.attempt,
  createdAt: row.created_at,
  claimedAt: row.claimed_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

/** Which wait ran out, for a command that is still open. */
export const waitEndedAt = (status: CommandStatus): WaitEnded | null =>
  status === "queued"
    ? "not_claimed"
    : status === "claimed"
      ? "not_started"
      : status === "running"
        ? "still_running"
        : null;

/**
 * The command as it stands, with whatever changes it from now on announced (`command_changed`): for all who wait for it
 * but its caller, who is told without where the process has the device's stream, too. Listen before.
 * @throws NOT_FOUND
 */
export async function announced(services: Services, row: CommandRow): Promise<CommandRow> {
  const { organization_id, id } = row;
  if (isSettled(row.status)) return row;
  if (!row.announce)
    await services.database.db
      .updateTable("device_commands")
      .set({ announce: true })
      .where("organization_id", "=", organization_id)
      .where("id", "=", id)
      .where("status", "in", openStatuses)
      .execute();
  return readCommand(services, organization_id, id);
}

/** @throws NOT_FOUND */
export async function readCommand(
  { commands }: Services,
  organizationId: string,
  id: string,
): Promise<CommandRow> {
  const row = await commands.read({ organizationId, id });
  if (!row) throw new GroveError("NOT_FOUND", `There is no command ${id}.`);
  return row;
}
