import { defineTool } from "@grove/mcp";
import {
  id,
  MAX_WORKSPACES_PER_COMMAND,
  type WorkspaceMade,
  workspaceMade,
  workspaceRequest,
} from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending, throwIfAllFailed } from "../api/outcome";
import { runOnDevice } from "../api/runOnDevice";
import { checkItems, inOrder, looseText } from "../shared/items";

const { shape } = workspaceRequest;

/** A workspace to make, as {@link workspaceRequest}; each item is checked by itself. */
const request = z.strictObject({
  name: looseText(shape.name.description ?? "").optional(),
  branchName: looseText(shape.branchName.description ?? "").optional(),
  existingBranch: looseText(shape.existingBranch.description ?? "").optional(),
  baseBranch: looseText(shape.baseBranch.description ?? "", { default: "main" }).optional(),
});

export const createWorkspace = defineTool({
  name: "create_workspace",
  title: "Create workspaces",
  description:
    "Creates git worktree workspaces of a project on a device, each on a new or existing branch. Use it to give work a directory of its own.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    deviceId: id.describe("Target device"),
    projectId: id.describe("Their project"),
    workspaces: z.array(request).min(1).max(MAX_WORKSPACES_PER_COMMAND).describe("Which"),
  }),
  output: z.strictObject({
    deviceId: id,
    projectId: id,
    workspaces: z.array(workspaceMade).optional(),
    pending,
  }),
  async run({ deviceId, projectId, workspaces }, context: ApiContext) {
    const { accepted, refused } = checkItems(workspaceRequest, workspaces);
    const failed = refused.map(({ at, error }) => ({ at, outcome: notMade(workspaces[at] ?? {}, error) }));
    if (accepted.length === 0) throwIfAllFailed(inOrder(accepted, [], failed), "create_workspace");
    const items = accepted.map(({ item }) => item);
    const params = { projectId, workspaces: items };
    const { result, pending } = await runOnDevice(context, deviceId, "create_workspace", params);
    if (!result) {
      const errors = failed.map(({ outcome }) => outcome);
      return { deviceId, projectId, ...(errors.length > 0 && { workspaces: errors }), pending };
    }
    const outcome = throwIfAllFailed(inOrder(accepted, result.workspaces, failed), "create_workspace");
    return { deviceId, projectId, workspaces: outcome };
  },
});

const notMade = (given: z.infer<typeof request>, error: WorkspaceMade["error"]): WorkspaceMade => ({
  name: given.name ?? given.branchName ?? given.existingBranch ?? "(generated)",
  alreadyExisted: false,
  error,
});
