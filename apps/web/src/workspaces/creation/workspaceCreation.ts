import { type Command, deviceTools, type WorkspaceMade, type WorkspaceRequest } from "@grove/schemas";
import { deviceTexts } from "../../components/deviceStates";

/** One requested workspace, and its result. */
export interface Item {
  /** The requested name, or the one that the device chose. */
  name: string;
  request: WorkspaceRequest;
  /** Undefined until the command is settled. */
  made: WorkspaceMade | undefined;
}

type Known = Pick<Command, "status" | "params" | "result" | "progress" | "error">;

/** Returns the requested workspaces; none if another client sent parameters that do not parse. */
export const requestsOf = ({ params }: Pick<Known, "params">): WorkspaceRequest[] =>
  deviceTools.create_workspace.params.safeParse(params).data?.workspaces ?? [];

/** Returns the command's items in request order, with their results once the command is settled. */
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
    made: withFieldLabels(made[index]),
  }));
}

/** The form's labels, by parameter name. */
const fieldLabels = {
  baseBranch: "“Starts from”",
  branchName: "“New branch”",
  existingBranch: "“Existing branch”",
};

/** Replaces parameter names in the error message with the form's labels. */
function withFieldLabels(made: WorkspaceMade | undefined): WorkspaceMade | undefined {
  if (!made?.error) return made;
  const message = Object.entries(fieldLabels).reduce(
    (text, [name, title]) => text.replaceAll(new RegExp(`\\b${name}\\b`, "g"), title),
    made.error.message,
  );
  return { ...made, error: { ...made.error, message } };
}

/** Returns the error of the whole command, or the errors of its items. */
export function problemsOf(command: Known): string[] {
  if (command.error) return [command.error.message];
  const failed = itemsOf(command).flatMap(({ made }) => (made?.error ? [made.error.message] : []));
  const endedOtherwise =
    command.status === "expired" || command.status === "timed_out" || command.status === "lost";
  return failed.length === 0 && endedOtherwise ? ["The device did not report a result."] : failed;
}

/** Returns the latest progress message and the completed fraction. */
export const progressOf = ({ status, progress }: Known): { message: string; fraction: number | null } => ({
  message: progress?.message ?? (status === "queued" ? deviceTexts.queued : ""),
  fraction: progress?.fraction ?? null,
});
