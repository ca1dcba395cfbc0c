import {
  branchName,
  id,
  line,
  type Task,
  taskCreateInput,
  taskLimits,
  taskPriority,
  taskReference,
  taskStatusType,
  taskUpdateInput,
  timestamp,
  webUrl,
} from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { characters } from "./characters";

export const taskId = taskReference.describe("UUID or slug");
const assignee = line(254).optional().describe("User id, email or `me`");
export const branch = branchName.optional().describe("Git branch");

const { shape: create } = taskCreateInput;

/** The fields that both create_task and update_task take. */
export const taskFields = {
  description: create.description.describe(`Markdown, at most ${characters(taskLimits.description)}`),
  assignee,
  status: line(80).optional().describe("Key, from list_task_statuses"),
  priority: taskPriority.optional().describe("Urgency"),
  labels: taskUpdateInput.shape.labels.describe("All of them"),
  dueDate: create.dueDate.describe("YYYY-MM-DD"),
  estimate: z.number().int().min(0).max(10_000).optional().describe("In your team's unit"),
  projectId: create.projectId.describe("Project"),
};

/** The fields that a task gets once work on it has begun. */
export const workFields = {
  branch,
  prUrl: webUrl.optional().describe("Pull request"),
};

/** A task as most tools return it; get_task returns the rest. */
export const taskRow = z.strictObject({
  id,
  slug: z.string(),
  title: z.string(),
  /** The first 300 characters of the description. */
  description: z.string().nullable(),
  /** Whether the description was cut. */
  truncated: z.boolean(),
  status: z.string(),
  priority: taskPriority,
  assigneeId: id.nullable(),
  labels: z.array(z.string()),
  branch: z.string().nullable(),
});

/** A task as a tool that changed it returns it. */
export const changedTask = taskRow.extend({
  projectId: id.nullable(),
  dueDate: z.string().nullable(),
  estimate: z.number().nullable(),
  prUrl: z.string().nullable(),
});

export const wholeTask = changedTask.omit({ truncated: true }).extend({
  statusType: taskStatusType,
  externalUrl: z.string().nullable(),
  creatorId: id.nullable(),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const common = (task: Task) => ({
  id: task.id,
  slug: task.slug,
  title: task.title,
  status: task.status,
  priority: task.priority,
  assigneeId: task.assigneeId,
  labels: task.labels,
  branch: task.branch,
});

export function toTaskRow(task: Task): z.infer<typeof taskRow> {
  // Cut by characters, so that no surrogate pair is split.
  const [shown = ""] = /^.{0,300}/su.exec(task.description ?? "") ?? [];
  return {
    ...common(task),
    description: task.description === null ? null : shown,
    truncated: shown.length < (task.description ?? "").length,
  };
}

export const toChangedTask = (task: Task): z.infer<typeof changedTask> => ({
  ...toTaskRow(task),
  projectId: task.projectId,
  dueDate: task.dueDate,
  estimate: task.estimate,
  prUrl: task.prUrl,
});

export const toWholeTask = (task: Task): z.infer<typeof wholeTask> => ({
  ...common(task),
  description: task.description,
  statusType: task.statusType,
  projectId: task.projectId,
  dueDate: task.dueDate,
  estimate: task.estimate,
  prUrl: task.prUrl,
  externalUrl: task.externalUrl,
  creatorId: task.creatorId,
  startedAt: task.startedAt,
  completedAt: task.completedAt,
  createdAt: task.createdAt,
  updatedAt: task.updatedAt,
});

export const readTask = (context: ApiContext, reference: string): Promise<Task> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    client.task.get.query({ organizationId, id: reference }, { signal }),
  );
