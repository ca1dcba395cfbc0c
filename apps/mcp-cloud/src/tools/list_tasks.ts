import type { Client } from "@grove/client";
import { defineTool } from "@grove/mcp";
import { id, line, MIN_PAGE, taskListInput, taskPriority } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext, Identity } from "../api/apiSession";
import { resolveMember } from "../shared/members";
import { after, limit, pageFields } from "../shared/pages";
import { requireStatus } from "../shared/statuses";
import { branch, taskRow, toTaskRow } from "../shared/tasks";

/** The limit of the count: counting the matches of a frequent word takes longer than finding a page of them. */
const MAX_COUNTED = 1_000;

export const listTasks = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Lists the tasks that pass all the filters, newest first. Use it to find a taskId. get_task has what is truncated. A total of 1000 is that or more.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    status: line(80).optional().describe("Key, or type: backlog, unstarted, started, completed, canceled"),
    assignee: line(254).optional().describe("User id, email, `me` or `nobody`"),
    projectId: id.optional().describe("Project"),
    branch,
    priority: taskPriority.optional().describe("Urgency"),
    labels: taskListInput.shape.labels.describe("With all of these"),
    search: line(200).optional().describe("Text in title or description"),
    limit,
    after,
  }),
  output: z.strictObject({ tasks: z.array(taskRow), ...pageFields }),
  async run({ assignee: whose, limit: size, after: afterId, ...filters }, context: ApiContext) {
    return context.app.call(context, async (client, identity, signal) => {
      const { organizationId } = identity;
      const filter = { organizationId, ...filters, ...(await assignedTo(client, identity, signal, whose)) };
      const [found, { total }] = await Promise.all([
        // One more than requested, to know whether another page follows.
        client.task.list.query({ ...filter, limit: size + 1, after: afterId }, { signal }),
        client.task.count.query({ ...filter, atMost: MAX_COUNTED }, { signal }),
      ]);
      // A model would take the empty list as the answer.
      if (total === 0 && filters.status)
        await requireStatus(client, identity, signal, filters.status, ["key", "type"]);
      const page = found.slice(0, size);
      const last = page.at(-1)?.id ?? null;
      const mayBeCut = found.length <= size && found.length >= MIN_PAGE && (afterId || found.length < total);
      const following =
        mayBeCut && last
          ? await client.task.list.query({ ...filter, limit: 1, after: last }, { signal })
          : found.slice(size);
      return { tasks: page.map(toTaskRow), total, next: following.length > 0 ? last : null };
    });
  },
});

/** The filter for tasks by assignee, or without one. */
async function assignedTo(
  client: Client,
  identity: Identity,
  signal: AbortSignal,
  whose: string | undefined,
) {
  if (whose === undefined) return {};
  if (whose.toLowerCase() === "nobody") return { unassigned: true as const };
  return { assigneeId: await resolveMember(client, identity, signal, whose) };
}
