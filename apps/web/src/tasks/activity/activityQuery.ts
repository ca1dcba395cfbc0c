import { client } from "../../lib/api";
import { pagesQuery } from "../../lib/pagesQuery";
import { taskActivityKey } from "../../lib/taskActivityKey";

/** Pages of a task's activity, newest first. */
export const activityQuery = (organizationId: string, taskId: string) =>
  pagesQuery({
    queryKey: taskActivityKey(organizationId, taskId),
    list: (page) => client.task.listActivity.query({ organizationId, id: taskId, ...page }),
    limit: 30,
    hasLargeItems: true,
  });
