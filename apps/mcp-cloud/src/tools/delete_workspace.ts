import { defineTool } from "@grove/mcp";
import { id, MAX_WORKSPACES_PER_COMMAND, RESCUE_DAYS, workspaceRemoved } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending, throwIfAllFailed } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";

export const deleteWorkspace = defineTool({
  name: "delete_workspace",
  title: "Delete workspaces",
  description: `Deletes git worktree workspaces from a device's disk. Use it when their work is merged or not wanted. Workspaces that are locked, have running programs, unsaved work or ignored files of their own (.env) need force; the device then keeps all but ignored files for ${RESCUE_DAYS} days (grove-device rescue).`,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    workspaceIds: z.array(id).min(1).max(MAX_WORKSPACES_PER_COMMAND).describe("Which"),
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
    const workspaces = throwIfAllFailed(result.workspaces, "delete_workspace");
    return { deviceId, workspaces };
  },
});
