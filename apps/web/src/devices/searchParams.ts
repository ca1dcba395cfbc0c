import type { CommandStatus } from "@grove/schemas";
import { isId } from "../lib/isId";

/** All states of a command. Their labels are elsewhere, because every page of the console loads this file. */
const statuses = {
  queued: 1,
  claimed: 1,
  running: 1,
  succeeded: 1,
  failed: 1,
  canceled: 1,
  expired: 1,
  timed_out: 1,
  lost: 1,
} satisfies Record<CommandStatus, 1>;

export const isCommandStatus = (value: unknown): value is CommandStatus =>
  typeof value === "string" && Object.hasOwn(statuses, value);

export interface DeviceSearchParams {
  tab?: "agents" | "commands" | undefined;
  state?: CommandStatus | undefined;
  /** Only commands of this tool. */
  tool?: string | undefined;
  /** Only commands that the current user requested. */
  mine?: true | undefined;
  /** Includes read-only commands and keystrokes. */
  quiet?: true | undefined;
  /** The expanded command. */
  command?: string | undefined;
}

const TOOL = /^[a-z_]{1,50}$/;

/** Validates the search parameters of a device's page. */
export const deviceSearchParams = ({
  tab,
  state,
  tool,
  mine,
  quiet,
  command,
}: Record<string, unknown>): DeviceSearchParams =>
  tab === "commands"
    ? {
        tab,
        ...(isCommandStatus(state) && { state }),
        ...(typeof tool === "string" && TOOL.test(tool) && { tool }),
        ...(mine === true && { mine }),
        ...(quiet === true && { quiet }),
        ...(typeof command === "string" && isId(command) && { command }),
      }
    : tab === "agents"
      ? { tab }
      : {};
