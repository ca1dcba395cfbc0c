import { defineTool } from "@grove/mcp";
import { anchorLabelWithSide, commentAnswerState, id, type Member, type ReviewComment } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { ownWorkspaceId, readChange, requireWorkspaceId } from "../shared/changes";
import { shortened } from "../shared/comments";
import { readMembers } from "../shared/members";
import { after, pageFields, pageOf } from "../shared/pages";

/** The comments of one page, whose texts are long. */
const PAGE_SIZE = 20;

export const listReviewComments = defineTool({
  name: "list_review_comments",
  title: "List review comments",
  description:
    "Lists the open review comments on a git worktree workspace, oldest first. Use it to find those without an answer.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ workspaceId: ownWorkspaceId, after }),
  output: z.strictObject({
    comments: z.array(
      z.strictObject({
        id,
        /** Path and lines in the version that the person commented on; "the whole change" without a path. */
        at: z.string(),
        author: z.string(),
        /** The first 2 000 characters. */
        body: z.string(),
        truncated: z.boolean(),
        /** An agent's answer, if there is one. */
        answer: commentAnswerState.optional(),
      }),
    ),
    ...pageFields,
  }),
  async run({ workspaceId, after: afterId }, context: ApiContext) {
    const change = await readChange(context, requireWorkspaceId(context, workspaceId));
    return context.app.call(context, async (client, identity, signal) => {
      const { organizationId } = identity;
      const { comments } = await client.workspace.review.list.query(
        { organizationId, changeId: change.id },
        { signal },
      );
      const open = comments.filter(({ state }) => state === "sent");
      const { page, ...rest } = pageOf(open, afterId, PAGE_SIZE);
      const members = page.length === 0 ? [] : await readMembers(client, identity, signal);
      return { comments: page.map((comment) => toRow(comment, members)), ...rest };
    });
  },
});

function toRow({ id, anchor, body, authorId, claim }: ReviewComment, members: readonly Member[]) {
  const shown = shortened(body);
  return {
    id,
    at: anchorLabelWithSide(anchor),
    author: members.find(({ userId }) => userId === authorId)?.name ?? "A former member",
    body: shown,
    truncated: shown.length < body.length,
    ...(claim && { answer: claim.state }),
  };
}
