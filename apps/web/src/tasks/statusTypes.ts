import type { TaskStatusType } from "@grove/schemas";

/** Filter labels by status type, which match every status of that type. */
export const statusTypes = {
  backlog: "Any backlog status",
  unstarted: "Any unstarted status",
  started: "Any started status",
  completed: "Any completed status",
  canceled: "Any canceled status",
} satisfies Record<TaskStatusType, string>;
