import type { CommandStatus } from "@grove/schemas";
import { isCommandStatus } from "./words";

/** What a device's page shows. */
interface Shown {
  tab?: "commands" | undefined;
  /** Only commands in this state. */
  state?: CommandStatus | undefined;
  /** Also commands that only look, or type. */
  quiet?: true | undefined;
  /** The command that shows everything about itself. */
  command?: string | undefined;
}

const ID = /^[\da-f-]{36}$/i;

/** Reads what a device's page shows from its address. */
export const shownOfDevice = ({ tab, state, quiet, command }: Record<string, unknown>): Shown =>
  tab === "commands"
    ? {
        tab,
        ...(isCommandStatus(state) && { state }),
        ...(quiet === true && { quiet }),
        ...(typeof command === "string" && ID.test(command) && { command }),
      }
    : {};
