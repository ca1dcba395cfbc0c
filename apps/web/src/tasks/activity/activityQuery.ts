import { client } from "../../lib/api";
import { pagesQuery } from "../../lib/queries/pagesQuery";
import { taskActivityKey } from "../../lib/queries/taskActivityKey";

/** Pages of a task's activity, newest first. */
export const activityQuery = (organizationId: string, taskId: string) =>
  pagesQuery({
    queryKey: taskActivityKey(organizationId, taskId),
    list: (page) => client.task.listActivity.query({ organizationId, id: taskId, ...page }),
    limit: 30,
    hasLargeItems: true,
  });
