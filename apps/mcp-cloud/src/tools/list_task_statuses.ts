import { defineTool } from "@grove/mcp";
import { taskStatusType } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pageFields } from "../shared/pages";

export const listTaskStatuses = defineTool({
  name: "list_task_statuses",
  title: "List task statuses",
  description:
    "Lists the statuses of tasks in order, and the default one. Use it before you set one, by its key.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.strictObject({
    statuses: z.array(z.strictObject({ key: z.string(), name: z.string(), type: taskStatusType })),
    default: z.string(),
    total: pageFields.total,
    /** All statuses always fit on one page. */
    next: z.null(),
  }),
  async run(_input, context: ApiContext) {
    return context.app.call(context, async (client, { organizationId }, signal) => {
      const statuses = await client.task.listStatuses.query({ organizationId }, { signal });
      return {
        statuses: statuses.map(({ key, name, type }) => ({ key, name, type })),
        // There is always at least one: the API does not delete the last.
        default: statuses[0]?.key ?? "",
        total: statuses.length,
        next: null,
      };
    });
  },
});
