import { type Command, type CommandError, deviceTools } from "@grove/schemas";
import { isOpenStatus } from "../../lib/commands/isOpenStatus";

/**
 * Returns the outcome of a command that deletes one workspace: `open`, `removed`, or the device's error. Undefined
 * before the command is sent.
 * @param command `sent` until its state has loaded
 */
export function deletionOutcome(
  command: Pick<Command, "status" | "result" | "error"> | "sent" | undefined,
): undefined | "open" | "removed" | CommandError {
  if (command === undefined) return undefined;
  if (command === "sent" || isOpenStatus(command.status)) return "open";
  if (command.error) return command.error;
  const item = removedItem(command);
  if (!item)
    return {
      reason: command.status,
      message: "The device did not report a result. Check the list of workspaces before you try again.",
    };
  // The device reports an error if the record could not be removed.
  return item.error ?? "removed";
}

/** Returns the warnings about a workspace that was removed, such as that its branch was kept. */
export const deletionWarnings = (command: Pick<Command, "result">): string =>
  removedItem(command)?.warnings.join(" ") ?? "";

const removedItem = ({ result }: Pick<Command, "result">) =>
  deviceTools.delete_workspace.result.safeParse(result).data?.workspaces[0];
