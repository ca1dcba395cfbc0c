import { defineTool } from "@grove/mcp";
import { id, name, workspaceRenamed } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../apiSession";
import { pending, requireOne } from "../outcome";
import { optionalDeviceId, resolveDevice } from "../resolveDevice";
import { runOnDevice } from "../runOnDevice";

const update = z.strictObject({
  workspaceId: id.describe("Which"),
  name: name.describe("New name"),
});

export const updateWorkspace = defineTool({
  name: "update_workspace",
  title: "Rename workspaces",
  description:
    "Renames git worktree workspaces on a device; directory and branch stay. Use it to say what one is for. Each item reports its name, or its error.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    updates: z.array(update).min(1).max(5).describe("What to rename"),
  }),
  output: z.strictObject({
    deviceId: id,
    workspaces: z.array(workspaceRenamed).optional(),
    pending,
  }),
  async run({ deviceId: given, updates }, context: CloudContext) {
    const deviceId = await resolveDevice(context, given);
    const { result, pending } = await runOnDevice(context, deviceId, "update_workspace", { updates });
    if (!result) return { deviceId, pending };
    const workspaces = requireOne(result.workspaces, "update_workspace");
    return { deviceId, workspaces };
  },
});
