import { defineTool } from "@grove/mcp";
import { id, pushedBranch } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { findWorkplace, ownWorkspaceId, runAtHead } from "../shared/changes";

export const pushBranch = defineTool({
  name: "push_branch",
  title: "Push a branch",
  description: "Pushes the commits of a git worktree workspace to the project's remote, without force.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({ workspaceId: ownWorkspaceId }),
  output: z.strictObject({ workspaceId: id, pushed: pushedBranch.optional(), pending }),
  async run({ workspaceId: given }, context: ApiContext) {
    const workplace = await findWorkplace(context, given);
    const { result: pushed, pending } = await runAtHead(context, workplace, "push_branch", { force: "none" });
    return { workspaceId: workplace.workspaceId, pushed, pending };
  },
});
