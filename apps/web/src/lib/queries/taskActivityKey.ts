import { queries } from "../api";

/** The query key of a task's activity. */
export const taskActivityKey = (organizationId: string, taskId: string) =>
  [...queries.task.listActivity.pathKey(), "pages", organizationId, taskId] as const;
