import { defineTool } from "@grove/mcp";
import { id, name, type WorkspaceRenamed, workspaceRenamed } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../apiSession";
import { checkItems, inOrder, looseText } from "../items";
import { pending, requireOne } from "../outcome";
import { optionalDeviceId, resolveDevice } from "../resolveDevice";
import { runOnDevice } from "../runOnDevice";

const update = z.strictObject({
  workspaceId: id.describe("Which"),
  name: looseText("New name"),
});
/** Each item is checked by itself. */
const checked = update.extend({ name });

export const updateWorkspace = defineTool({
  name: "update_workspace",
  title: "Rename workspaces",
  description:
    "Renames git worktree workspaces on a device; directory and branch stay. Use it to name their purpose. Each item reports its name, or its error.",
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
  async run({ deviceId: given, updates }, context: ApiContext) {
    const deviceId = await resolveDevice(context, given);
    const { accepted, refused } = checkItems(checked, updates);
    const failed = refused.map(({ at, error }) => {
      const outcome: WorkspaceRenamed = { id: updates[at]?.workspaceId ?? "", name: null, error };
      return { at, outcome };
    });
    if (accepted.length === 0) requireOne(inOrder(accepted, [], failed), "update_workspace");
    const params = { updates: accepted.map(({ item }) => item) };
    const { result, pending } = await runOnDevice(context, deviceId, "update_workspace", params);
    if (!result) {
      const errors = failed.map(({ outcome }) => outcome);
      return { deviceId, ...(errors.length > 0 && { workspaces: errors }), pending };
    }
    const workspaces = requireOne(inOrder(accepted, result.workspaces, failed), "update_workspace");
    return { deviceId, workspaces };
  },
});
