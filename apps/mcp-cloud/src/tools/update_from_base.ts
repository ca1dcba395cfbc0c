import { defineTool } from "@grove/mcp";
import { id, updatedFromBase } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { findWorkplace, ownWorkspaceId, runAtHead } from "../shared/changes";

export const updateFromBase = defineTool({
  name: "update_from_base",
  title: "Update from the base",
  description:
    "Brings the base branch's newest commits into the branch of a git worktree workspace. Use it where no agent is at work and nothing is uncommitted; with conflicts nothing changes.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    workspaceId: ownWorkspaceId,
    how: z.enum(["merge", "rebase"]).default("merge").describe("Rebase rewrites the branch's commits"),
  }),
  output: z.strictObject({ workspaceId: id, updated: updatedFromBase.optional(), pending }),
  async run({ workspaceId: given, how }, context: ApiContext) {
    const workplace = await findWorkplace(context, given);
    const { result: updated, pending } = await runAtHead(context, workplace, "update_from_base", { how });
    return { workspaceId: workplace.workspaceId, updated, pending };
  },
});
