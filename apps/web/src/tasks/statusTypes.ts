import type { TaskStatusType } from "@grove/schemas";

/** Filter labels by status type, which match every status of that type. */
export const statusTypes = {
  backlog: "Any backlog",
  unstarted: "Any not started",
  started: "Any started",
  completed: "Any completed",
  canceled: "Any canceled",
} satisfies Record<TaskStatusType, string>;
