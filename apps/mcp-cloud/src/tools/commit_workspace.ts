import { defineTool } from "@grove/mcp";
import { committedWorkspace, id, MAX_COMMIT_MESSAGE, text } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { runOnDevice } from "../api/runOnDevice";
import { findWorkplace, ownWorkspaceId } from "../shared/changes";

export const commitWorkspace = defineTool({
  name: "commit_workspace",
  title: "Commit a workspace",
  description: "Commits all files of a git worktree workspace that git does not ignore.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    workspaceId: ownWorkspaceId,
    message: text(MAX_COMMIT_MESSAGE).min(1).describe("Commit message"),
  }),
  output: z.strictObject({
    workspaceId: id,
    /** `skipped` files stay uncommitted; the device's owner does not allow `skippedHooks` to run. */
    committed: committedWorkspace.optional(),
    pending,
  }),
  async run({ workspaceId: given, message }, context: ApiContext) {
    const { workspaceId, deviceId } = await findWorkplace(context, given);
    const params = { workspaceId, message };
    const { result: committed, pending } = await runOnDevice(context, deviceId, "commit_workspace", params);
    return { workspaceId, committed, pending };
  },
});
