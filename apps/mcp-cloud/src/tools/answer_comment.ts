import { defineTool } from "@grove/mcp";
import { commentAnswerState, FIND_COMMIT_WAIT_MS, id, MAX_ANSWER, text } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { timeoutFor } from "../api/waits";
import { characters } from "../shared/characters";

export const answerComment = defineTool({
  name: "answer_comment",
  title: "Answer a review comment",
  description: "Answers a review comment on your work. Use it for each one; a person resolves it.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: z.strictObject({
    commentId: id.describe("The comment"),
    state: commentAnswerState.describe("Your claim"),
    commit: z.string().optional().describe("That fixes it, in the workspace's history"),
    body: text(MAX_ANSWER)
      .optional()
      .describe(`At most ${characters(MAX_ANSWER)}; required unless fixed`),
  }),
  output: z.strictObject({ commentId: id, commit: z.string().nullable() }),
  async run({ commentId, ...answer }, context: ApiContext) {
    const { claim } = await context.app.call(
      context,
      (client, { organizationId }, signal) =>
        client.workspace.review.answer.mutate({ organizationId, id: commentId, ...answer }, { signal }),
      { timeoutMs: timeoutFor(FIND_COMMIT_WAIT_MS) },
    );
    return { commentId, commit: claim?.commit ?? null };
  },
});
