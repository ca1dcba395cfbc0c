import { defineTool } from "@grove/mcp";
import {
  id,
  MAX_WORKSPACES_PER_COMMAND,
  name,
  type WorkspaceRenamed,
  workspaceRenamed,
} from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending, throwIfAllFailed } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";
import { checkItems, inOrder, looseText } from "../shared/items";

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
    "Renames git worktree workspaces on a device; directory and branch stay. Use it to name their purpose.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    updates: z.array(update).min(1).max(MAX_WORKSPACES_PER_COMMAND).describe("Which"),
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
    if (accepted.length === 0) throwIfAllFailed(inOrder(accepted, [], failed), "update_workspace");
    const params = { updates: accepted.map(({ item }) => item) };
    const { result, pending } = await runOnDevice(context, deviceId, "update_workspace", params);
    if (!result) {
      const errors = failed.map(({ outcome }) => outcome);
      return { deviceId, ...(errors.length > 0 && { workspaces: errors }), pending };
    }
    const workspaces = throwIfAllFailed(inOrder(accepted, result.workspaces, failed), "update_workspace");
    return { deviceId, workspaces };
  },
});
