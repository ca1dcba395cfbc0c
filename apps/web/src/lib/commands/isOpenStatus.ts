import type { CommandStatus } from "@grove/schemas";

/** Whether a command of this status has not ended yet. */
export const isOpenStatus = (status: CommandStatus): boolean =>
  status === "queued" || status === "claimed" || status === "running";
