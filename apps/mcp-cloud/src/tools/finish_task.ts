import { defineTool } from "@grove/mcp";
import { id, MAX_SUMMARY, MAX_TEST, MAX_TESTS, text, timestamp } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { ownWorkspaceId, requireWorkspaceId } from "../shared/changes";
import { characters } from "../shared/characters";

export const finishTask = defineTool({
  name: "finish_task",
  title: "Finish your work",
  description:
    "Reports your work in a git worktree workspace as done. Use it last, when it is committed and tested.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    workspaceId: ownWorkspaceId,
    summary: text(MAX_SUMMARY)
      .min(1)
      .describe(`For the reviewer, at most ${characters(MAX_SUMMARY)}`),
    tests: z.array(text(MAX_TEST)).max(MAX_TESTS).optional().describe("Each with its result"),
  }),
  output: z.strictObject({ workspaceId: id, branch: z.string(), finishedAt: timestamp.nullable() }),
  async run({ workspaceId: given, ...report }, context: ApiContext) {
    const workspaceId = requireWorkspaceId(context, given);
    const { branch, finishedAt } = await context.app.call(context, (client, { organizationId }, signal) =>
      client.workspace.change.finish.mutate({ organizationId, workspaceId, ...report }, { signal }),
    );
    return { workspaceId, branch, finishedAt };
  },
});
