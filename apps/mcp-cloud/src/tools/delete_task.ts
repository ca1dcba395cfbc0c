import { defineTool } from "@grove/mcp";
import { timestamp } from "@grove/schemas";
import * as z from "zod";
import type { CloudContext } from "../cloud";
import { taskId } from "../tasks";

export const deleteTask = defineTool({
  name: "delete_task",
  title: "Delete a task",
  description:
    "Deletes a task; until restorableUntil a member can restore it. Use it for what was created by mistake; work that is done or given up gets a status instead.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ taskId }),
  output: z.strictObject({ taskId: z.string(), deleted: z.literal(true), restorableUntil: timestamp }),
  async run({ taskId: reference }, context: CloudContext) {
    return context.app.call(context, async (client, { organizationId }, signal) => {
      const { restorableUntil } = await client.task.delete.mutate(
        { organizationId, id: reference },
        { signal },
      );
      return { taskId: reference, deleted: true as const, restorableUntil };
    });
  },
});
