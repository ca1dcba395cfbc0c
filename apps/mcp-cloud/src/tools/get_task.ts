import { defineTool } from "@grove/mcp";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { comment, MAX_COMMENTS, readComments } from "../shared/comments";
import { taskId, toWholeTask, wholeTask } from "../shared/tasks";
import { textPart } from "../shared/textPart";

export const getTask = defineTool({
  name: "get_task",
  title: "Get a task",
  description: `Shows a task and its last ${MAX_COMMENTS} comments, newest last, and a long description in parts. Use it before you work on one.`,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    taskId,
    offset: z.number().int().min(0).default(0).describe("0, then `nextOffset`"),
  }),
  output: wholeTask.extend({
    /** The offset of the description's next part; left out at its end. */
    nextOffset: z.number().int().optional(),
    /** Left out with a later part of the description. */
    comments: z.array(comment).optional(),
  }),
  async run({ taskId: reference, offset }, context: ApiContext) {
    const { task, comments } = await context.app.call(context, async (client, identity, signal) => {
      const { organizationId } = identity;
      const read = await client.task.get.query({ organizationId, id: reference }, { signal });
      return {
        task: toWholeTask(read),
        ...(offset === 0 && { comments: await readComments(client, identity, signal, read.id) }),
      };
    });
    const answer = { ...task, ...(comments && { comments }) };
    if (task.description === null) return answer;
    const { part, next } = textPart(task.description, offset);
    return { ...answer, description: part, ...(next !== null && { nextOffset: next }) };
  },
});
