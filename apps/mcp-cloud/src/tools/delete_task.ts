import { defineTool } from "@grove/mcp";
import { id, timestamp } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { readTask, taskId } from "../shared/tasks";

export const deleteTask = defineTool({
  name: "delete_task",
  title: "Delete a task",
  description:
    "Deletes a task; until restorableUntil, restore brings it back. Use it for mistakes; finished or abandoned work gets a status instead.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    taskId,
    restore: z.boolean().default(false).describe("Undo it"),
  }),
  output: z.strictObject({ taskId: id, deleted: z.boolean(), restorableUntil: timestamp.optional() }),
  async run({ taskId: reference, restore }, context: ApiContext) {
    if (restore) {
      const restored = await context.app.call(context, (client, { organizationId }, signal) =>
        client.task.restore.mutate({ organizationId, id: reference }, { signal }),
      );
      return { taskId: restored.id, deleted: false };
    }
    const { id: taskId } = await readTask(context, reference);
    const { restorableUntil } = await context.app.call(
      context,
      (client, { organizationId }, signal) =>
        client.task.delete.mutate({ organizationId, id: taskId }, { signal }),
      { onceOnly: true, afterLostAnswer: `get_task with taskId ${taskId} shows whether it still exists.` },
    );
    return { taskId, deleted: true, restorableUntil };
  },
});
