import { defineTool } from "@grove/mcp";
import { changeOpenPullInput, id, pullState } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { MAX_WAIT_MS } from "../api/waits";
import { ownWorkspaceId, readChange, requireWorkspaceId } from "../shared/changes";

export const openPullRequest = defineTool({
  name: "open_pull_request",
  title: "Open a pull request",
  description:
    "Opens the pull request of a git worktree workspace's branch, or returns the one that is open. Use it after push_branch; a person approves and merges.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    workspaceId: ownWorkspaceId,
    title: changeOpenPullInput.shape.title.describe("Pull request title"),
    body: changeOpenPullInput.shape.body.describe("Markdown"),
    base: changeOpenPullInput.shape.base.describe("Default: the branch that the workspace began at"),
    draft: changeOpenPullInput.shape.draft.describe("Not ready for review"),
  }),
  output: z.strictObject({
    workspaceId: id,
    number: z.number().int(),
    /** Null if the code host's address is not a valid link. */
    url: z.string().nullable(),
    state: pullState,
    /** The commit that it contains. */
    head: z.string(),
    base: z.string(),
  }),
  async run({ workspaceId: given, ...fields }, context: ApiContext) {
    const workspaceId = requireWorkspaceId(context, given);
    const { id: changeId } = await readChange(context, workspaceId);
    const { number, url, state, head, base } = await context.app.call(
      context,
      (client, { organizationId }, signal) =>
        client.workspace.change.openPull.mutate({ organizationId, changeId, ...fields }, { signal }),
      { timeoutMs: MAX_WAIT_MS },
    );
    return { workspaceId, number, url, state, head, base };
  },
});
