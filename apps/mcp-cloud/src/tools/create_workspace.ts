import { defineTool, ToolError } from "@grove/mcp";
import { id, type WorkspaceMade, workspaceMade, workspaceRequest } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../cloud";
import { pendingCommand, runOnDevice } from "../command";

export const createWorkspace = defineTool({
  name: "create_workspace",
  title: "Create workspaces on a device",
  description:
    "Creates one to five git worktree workspaces of a project on a device, each with a branch of its own. Use it to give a piece of work a directory of its own on that machine; the caller's own directory stays as it is. Find the ids with list_devices and list_projects. Each item reports what was made, or its own error. Long work answers with `pending`: ask get_command.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    deviceId: id.describe("Target device"),
    projectId: id.describe("Project to create workspaces in"),
    workspaces: z.array(workspaceRequest).min(1).max(5).describe("The workspaces to create"),
  }),
  output: z.strictObject({
    deviceId: id,
    projectId: id,
    workspaces: z.array(workspaceMade).optional(),
    pending: pendingCommand.optional(),
  }),
  async run({ deviceId, projectId, workspaces }, context: CloudContext) {
    const { result, pending } = await runOnDevice(context, deviceId, "create_workspace", {
      projectId,
      workspaces,
    });
    if (pending) return { deviceId, projectId, pending };
    const failed = result.workspaces.filter((item) => item.error);
    if (failed.length > 0 && failed.length === result.workspaces.length) throw allFailed(failed);
    return { deviceId, projectId, workspaces: result.workspaces };
  },
});

/** Nothing was made: an error with each item's reason. Names are quoted, since others chose them. */
function allFailed(items: readonly WorkspaceMade[]): ToolError {
  const reasons = new Set(items.map((item) => item.error?.reason));
  const [reason] = reasons;
  const each = items.map(
    ({ name, error }) => `${JSON.stringify(name)}: ${error?.reason}: ${JSON.stringify(error?.message)}`,
  );
  return new ToolError(
    reasons.size === 1 && reason ? reason : "all_failed",
    `No workspace was created. ${each.join("; ")}`,
    "Correct what each reason names, then call create_workspace again.",
  );
}
