import { defineTool } from "@grove/mcp";
import { id, workspaceRemoved } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../apiSession";
import { pending, requireOne } from "../outcome";
import { optionalDeviceId, resolveDevice } from "../resolveDevice";
import { runOnDevice } from "../runOnDevice";

export const deleteWorkspace = defineTool({
  name: "delete_workspace",
  title: "Delete workspaces",
  description:
    "Deletes git worktree workspaces from a device's disk, after the project's teardown. Use it when their work is merged or not wanted. One that is being created is undone. One that is locked, has running programs, uncommitted or unpushed work, or ignored files of its own (.env, data.db) is kept unless force is true, which ends and loses these permanently. Each item reports what was removed, or its error.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    workspaceIds: z.array(id).min(1).max(5).describe("Which"),
    force: z.boolean().default(false).describe("Also with unsaved work"),
    deleteBranch: z.boolean().default(false).describe("Their branches too"),
  }),
  output: z.strictObject({
    deviceId: id,
    workspaces: z.array(workspaceRemoved).optional(),
    pending,
  }),
  async run({ deviceId: given, ...params }, context: ApiContext) {
    const deviceId = await resolveDevice(context, given);
    const { result, pending } = await runOnDevice(context, deviceId, "delete_workspace", params);
    if (!result) return { deviceId, pending };
    const workspaces = requireOne(result.workspaces, "delete_workspace");
    return { deviceId, workspaces };
  },
});
