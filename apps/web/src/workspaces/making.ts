import { deviceTools, type WorkspaceMade, type WorkspaceRequest } from "@grove/schemas";
import type { Command } from "./commands";

/** One workspace that was asked for, and what became of it. */
export interface Item {
  /** The name that was asked for, or that the device has chosen. */
  name: string;
  request: WorkspaceRequest;
  /** Undefined while it is not known. */
  made: WorkspaceMade | undefined;
}

type Known = Pick<Command, "status" | "params" | "result" | "progress" | "error">;

/** The workspaces that a command was asked to make; none if it was sent by a program in a form of its own. */
export const requestsOf = ({ params }: Pick<Known, "params">): WorkspaceRequest[] =>
  deviceTools.create_workspace.params.safeParse(params).data?.workspaces ?? [];

/** The items of a command, in their order, each with its own result once the command is settled. */
export function itemsOf(command: Known): Item[] {
  const made = deviceTools.create_workspace.result.safeParse(command.result).data?.workspaces ?? [];
  return requestsOf(command).map((request, index) => ({
    name:
      made[index]?.name ??
      request.name ??
      request.branchName ??
      request.existingBranch ??
      `Workspace ${index + 1}`,
    request,
    made: inFields(made[index]),
  }));
}

/** The form's words for its fields, by the names that the device has for them. */
const fields = {
  baseBranch: "“Starts from”",
  branchName: "“New branch”",
  existingBranch: "“An existing branch”",
};

/** The result of an item, whose error names the fields as the form does. */
function inFields(made: WorkspaceMade | undefined): WorkspaceMade | undefined {
  if (!made?.error) return made;
  const message = Object.entries(fields).reduce(
    (words, [name, title]) => words.replaceAll(new RegExp(`\\b${name}\\b`, "g"), title),
    made.error.message,
  );
  return { ...made, error: { ...made.error, message } };
}

/** Why workspaces could not be made: the failure of the whole, or of single items. Empty while nothing has failed. */
export function problemsOf(command: Known): string[] {
  if (command.error) return [command.error.message];
  const failed = itemsOf(command).flatMap(({ made }) => (made?.error ? [made.error.message] : []));
  const endedOtherwise =
    command.status === "expired" || command.status === "timed_out" || command.status === "lost";
  return failed.length === 0 && endedOtherwise ? ["It ended without an answer of the device."] : failed;
}

/** The newest line of progress, and how far the work is. */
export const progressOf = ({ status, progress }: Known): { words: string; fraction: number | null } => ({
  words: progress?.message ?? (status === "queued" ? "It begins as soon as the device is there." : ""),
  fraction: progress?.fraction ?? null,
});
