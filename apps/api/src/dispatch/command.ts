import type { DeviceCommandTable } from "@grove/db";
import { type Command, type CommandListed, type CommandStatus, keptMs, type WaitEnded } from "@grove/schemas";
import type { Selectable } from "kysely";

export type CommandRow = Selectable<DeviceCommandTable>;

/** A command's row in the form that the API returns. A result is null once its time is over. */
export function toCommand(row: CommandRow, waitEnded: WaitEnded | null = null): Command {
  const keptUntil =
    row.finished_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.finished_at) + keptMs(row.tool);
  const isOver = keptUntil < Date.now();
  const isDue = isOver && (row.result ?? row.late_result) !== null;
  return {
    ...toListed(row),
    params: row.params,
    result: isOver ? null : row.result,
    lateResult: isOver ? null : row.late_result,
    resultRemovedAt: isDue ? new Date(keptUntil).toISOString() : row.result_removed_at,
    waitEnded,
  };
}

/** The columns that a list of commands returns: none that may be large. */
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
