import { defineTool, ToolError } from "@grove/mcp";
import { id, name, workspaceOnDevice } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";

export const switchWorkspace = defineTool({
  name: "switch_workspace",
  title: "Switch workspace",
  description:
    "Makes a git worktree workspace the device's active one; your own directory stays. Use it before a person continues there.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    workspaceId: id.optional().describe("Or give name"),
    name: name.optional().describe("Or give workspaceId"),
  }),
  output: z.strictObject({
    deviceId: id,
    workspace: workspaceOnDevice.pick({ id: true, name: true, branch: true, path: true }).optional(),
    pending,
  }),
  async run({ deviceId: given, ...which }, context: ApiContext) {
    const count = Object.values(which).filter((value) => value !== undefined).length;
    if (count !== 1) throw notOne(count);
    const deviceId = await resolveDevice(context, given);
    const { result, pending } = await runOnDevice(context, deviceId, "switch_workspace", which);
    if (!result) return { deviceId, pending };
    const { id, name, branch, path } = result.workspace;
    return { deviceId, workspace: { id, name, branch, path } };
  },
});

const notOne = (count: number) =>
  new ToolError(
    "invalid_input",
    count === 0 ? "Neither workspaceId nor name is given" : "workspaceId and name are both given",
    "Give exactly one of workspaceId and name; list_workspaces shows both.",
  );
