import type { CommandStatus } from "@grove/schemas";

/** All states of a command, without their words, since every page of the console loads this file. */
const states = {
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
  typeof value === "string" && Object.hasOwn(states, value);

/** The part of a device's page that is shown. */
interface Shown {
  tab?: "agents" | "commands" | undefined;
  /** Only commands in this state. */
  state?: CommandStatus | undefined;
  /** Only commands of this tool. */
  tool?: string | undefined;
  /** Only commands that this person asked for. */
  mine?: true | undefined;
  /** Also commands that only look, or type. */
  quiet?: true | undefined;
  /** The command that shows everything about itself. */
  command?: string | undefined;
}

const ID = /^[\da-f-]{36}$/i;
const TOOL = /^[a-z_]{1,50}$/;

/** Reads from an address which part of a device's page is shown. */
export const shownOfDevice = ({ tab, state, tool, mine, quiet, command }: Record<string, unknown>): Shown =>
  tab === "commands"
    ? {
        tab,
        ...(isCommandStatus(state) && { state }),
        ...(typeof tool === "string" && TOOL.test(tool) && { tool }),
        ...(mine === true && { mine }),
        ...(quiet === true && { quiet }),
        ...(typeof command === "string" && ID.test(command) && { command }),
      }
    : tab === "agents"
      ? { tab }
      : {};
