import { type CommandError, deviceTools } from "@grove/schemas";
import type { Command } from "./commands";
import { isOpen } from "./words";

/**
 * The outcome of a command that deletes one workspace: nothing was asked yet, it is `open`, the workspace is `removed`,
 * or the device refuses and says why.
 */
export function removalOf(
  command: Pick<Command, "status" | "result" | "error"> | "asked" | undefined,
): undefined | "open" | "removed" | CommandError {
  if (command === undefined) return undefined;
  if (command === "asked" || isOpen(command.status)) return "open";
  if (command.error) return command.error;
  const item = deviceTools.delete_workspace.result.safeParse(command.result).data?.workspaces[0];
  if (!item)
    return {
      reason: command.status,
      message: "The device gave no answer. Look at the list before you try again.",
    };
  // Its record may be left over; then the device says so.
  return item.error ?? "removed";
}
