import { defineTool } from "@grove/mcp";
import { id, workspaceMade, workspaceRequest } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../apiSession";
import { pending, requireOne } from "../outcome";
import { runOnDevice } from "../runOnDevice";

export const createWorkspace = defineTool({
  name: "create_workspace",
  title: "Create workspaces",
  description:
    "Creates git worktree workspaces of a project on a device, each on a new branch or an existing one. Use it to give a piece of work a directory on that machine; your own directory stays as it is. Each item reports what was made, or its error.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    deviceId: id.describe("Target device"),
    projectId: id.describe("Project to create them in"),
    workspaces: z.array(workspaceRequest).min(1).max(5).describe("What to create"),
  }),
  output: z.strictObject({
    deviceId: id,
    projectId: id,
    workspaces: z.array(workspaceMade).optional(),
    pending,
  }),
  async run({ deviceId, projectId, workspaces }, context: CloudContext) {
    const { result, pending } = await runOnDevice(context, deviceId, "create_workspace", {
      projectId,
      workspaces,
    });
    if (!result) return { deviceId, projectId, pending };
    const made = requireOne(result.workspaces, "create_workspace");
    return { deviceId, projectId, workspaces: made };
  },
});
