import { defineTool } from "@grove/mcp";
import * as z from "zod";
import type { ApiContext } from "../apiSession";
import { readTask, taskId, toWholeTask, wholeTask } from "../tasks";
import { textPart } from "../textPart";

export const getTask = defineTool({
  name: "get_task",
  title: "Get a task",
  description:
    "Shows all of a task; a long description in parts, of which nextOffset gives the next. Use it before you work on one.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    taskId,
    offset: z.number().int().min(0).default(0).describe("0, then `nextOffset`"),
  }),
  output: wholeTask.extend({
    /** The offset of the description's next part; left out at its end. */
    nextOffset: z.number().int().optional(),
  }),
  async run({ taskId: reference, offset }, context: ApiContext) {
    const task = toWholeTask(await readTask(context, reference));
    if (task.description === null) return task;
    const { part, next } = textPart(task.description, offset);
    return { ...task, description: part, ...(next !== null && { nextOffset: next }) };
  },
});
