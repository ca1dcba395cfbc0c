import type { TaskStatusType } from "@grove/schemas";

/** The meaning of a status, as a filter over all statuses of that meaning. */
export const statusTypes = {
  backlog: "Any backlog",
  unstarted: "Any not started",
  started: "Any started",
  completed: "Any completed",
  canceled: "Any canceled",
} satisfies Record<TaskStatusType, string>;
