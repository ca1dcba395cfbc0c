import { defineTool } from "@grove/mcp";
import * as z from "zod";
import type { CloudContext } from "../apiSession";
import { readTask, taskId, toWholeTask, wholeTask } from "../tasks";

export const getTask = defineTool({
  name: "get_task",
  title: "Get a task",
  description: "Shows all of a task. Use it before you work on one.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ taskId }),
  output: wholeTask,
  async run({ taskId: reference }, context: CloudContext) {
    return toWholeTask(await readTask(context, reference));
  },
});
