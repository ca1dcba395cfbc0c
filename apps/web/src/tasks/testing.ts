import type { Task, TaskStatus } from "@grove/schemas";

/** Builds a task for tests. */
export const taskOf = (fields: Partial<Task> & { id: string }): Task => ({
  slug: fields.id,
  organizationId: "acme",
  title: fields.id,
  description: null,
  status: "todo",
  statusType: "unstarted",
  priority: "none",
  assigneeId: null,
  creatorId: null,
  projectId: null,
  labels: [],
  dueDate: null,
  estimate: null,
  branch: null,
  prUrl: null,
  prState: null,
  changeState: null,
  externalUrl: null,
  startedAt: null,
  completedAt: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  rank: fields.id,
  ...fields,
});

export const statuses: TaskStatus[] = [
  { key: "todo", name: "Todo", type: "unstarted", color: "#e2e2e2", position: 0 },
  { key: "doing", name: "Doing", type: "started", color: "#f2c94c", position: 1 },
  { key: "done", name: "Done", type: "completed", color: "#5e6ad2", position: 2 },
];
