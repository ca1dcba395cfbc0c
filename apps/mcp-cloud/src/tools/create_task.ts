import { defineTool } from "@grove/mcp";
import { taskCreateInput } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { resolveMember } from "../shared/members";
import { settingStatus } from "../shared/statuses";
import { changedTask, taskFields, toChangedTask } from "../shared/tasks";

export const createTask = defineTool({
  name: "create_task",
  title: "Create a task",
  description: "Creates a task. Use it to write down work; list_tasks shows whether it exists.",
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({ title: taskCreateInput.shape.title.describe("Title"), ...taskFields }),
  output: changedTask,
  async run({ assignee, ...fields }, context: ApiContext) {
    // Reused for every attempt, so that a lost response does not lead to a second task.
    const idempotencyKey = crypto.randomUUID();
    return context.app.call(
      context,
      async (client, identity, signal) => {
        const assigneeId = assignee && (await resolveMember(client, identity, signal, assignee));
        const { organizationId } = identity;
        const input = { organizationId, ...fields, assigneeId, idempotencyKey };
        return settingStatus(client, identity, signal, fields.status, async () =>
          toChangedTask(await client.task.create.mutate(input, { signal })),
        );
      },
      { afterLostAnswer: "list_tasks with its title as search shows whether it exists." },
    );
  },
});
