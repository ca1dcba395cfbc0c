import type { CommandStatus } from "@grove/schemas";
import { isCommandStatus } from "./words";

/** The part of a device's page that is shown. */
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

/** Reads from an address which part of a device's page is shown. */
export const shownOfDevice = ({ tab, state, quiet, command }: Record<string, unknown>): Shown =>
  tab === "commands"
    ? {
        tab,
        ...(isCommandStatus(state) && { state }),
        ...(quiet === true && { quiet }),
        ...(typeof command === "string" && ID.test(command) && { command }),
      }
    : {};
