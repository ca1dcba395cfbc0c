import { defineTool } from "@grove/mcp";
import { id, workspaceOnDevice } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";
import { after, pageFields, pageOf } from "../shared/pages";

export const listWorkspaces = defineTool({
  name: "list_workspaces",
  title: "List workspaces",
  description:
    "Lists the git worktree workspaces on a device, with state and uncommitted changes (dirty). Use it to find a workspaceId.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    projectId: id.optional().describe("Only of this project"),
    after,
  }),
  output: z.strictObject({
    deviceId: id,
    workspaces: z.array(workspaceOnDevice).optional(),
    total: pageFields.total.optional(),
    next: pageFields.next.optional(),
    pending,
  }),
  async run(input, context: ApiContext) {
    const deviceId = await resolveDevice(context, input.deviceId);
    const params = input.projectId === undefined ? {} : { projectId: input.projectId };
    const { result, pending } = await runOnDevice(context, deviceId, "list_workspaces", params);
    if (!result) return { deviceId, pending };
    const { page, ...rest } = pageOf(result.workspaces, input.after);
    return { deviceId, workspaces: page, ...rest };
  },
});
