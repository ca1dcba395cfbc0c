import * as z from "zod";
import { pullState, workState } from "../changes/change";
import { lastEventId, readyEvent } from "../event";
import { organizationScope } from "../organizations/organization";
import { branchName, id, line, name, page, slug, text, timestamp, webUrl } from "../values";

/** The meaning of a status, independent of its name. The order is that in which work passes through them. */
export const taskStatusType = z.enum(["backlog", "unstarted", "started", "completed", "canceled"]);
export type TaskStatusType = z.infer<typeof taskStatusType>;

/** A status's key. It stays the same when the status is renamed. */
export const taskStatusKey = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(_[a-z0-9]+)*$/, "must be lower-case letters, digits and single underscores");

export const taskPriority = z.enum(["urgent", "high", "medium", "low", "none"]);
export type TaskPriority = z.infer<typeof taskPriority>;

/** A calendar day, in no time zone. PostgreSQL has no year 0. */
const day = z.iso.date().refine((value) => !value.startsWith("0000"), "must not be in the year 0");

/** Without duplicates, in the order given. */
const labels = z
  .array(line(50))
  .max(50)
  .overwrite((values) => [...new Set(values)]);

export const task = z.object({
  id,
  /** Short and readable, made from the original title; unique in the organization. */
  slug: z.string(),
  organizationId: id,
  title: z.string(),
  description: z.string().nullable(),
  /** The key of one of the organization's statuses. */
  status: z.string(),
  statusType: taskStatusType,
  priority: taskPriority,
  assigneeId: id.nullable(),
  creatorId: id.nullable(),
  projectId: id.nullable(),
  labels: z.array(z.string()),
  dueDate: z.iso.date().nullable(),
  estimate: z.number().int().nullable(),
  branch: z.string().nullable(),
  prUrl: z.string().nullable(),
  /** The state of its changes' pull requests, open ones first; null if none is known. */
  prState: pullState.nullable(),
  /** The most urgent state of its changes; null if it has none. */
  changeState: workState.nullable(),
  externalUrl: z.string().nullable(),
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** The place in the organization's order: the greatest is first. Compare ranks as text, by code units. */
  rank: z.string(),
});
export type Task = z.infer<typeof task>;

/** The most characters of a task's texts. The console's forms repeat them as `maxLength`. */
export const taskLimits = { title: 500, description: 50_000 } as const;

const title = line(taskLimits.title);
const description = text(taskLimits.description);
const estimate = z.number().int().min(0).max(10_000);

export const taskCreateInput = z.strictObject({
  ...organizationScope,
  title,
  description: description.optional(),
  assigneeId: id.optional(),
  /** The first of the organization's statuses when omitted. */
  status: taskStatusKey.optional(),
  priority: taskPriority.default("none"),
  labels: labels.default([]),
  dueDate: day.optional(),
  estimate: estimate.optional(),
  projectId: id.optional(),
  /** For 24 hours and one principal, the same key with the same fields returns the same task. */
  idempotencyKey: line(200).optional(),
});
export type TaskCreateInput = z.infer<typeof taskCreateInput>;

/** A task by its UUID or its slug. */
export const taskReference = z.string().trim().toLowerCase().pipe(slug);

/** An omitted field is not changed; null clears a field. */
export const taskUpdateInput = z.strictObject({
  ...organizationScope,
  id: taskReference,
  title: title.optional(),
  description: description.nullable().optional(),
  assigneeId: id.nullable().optional(),
  status: taskStatusKey.optional(),
  priority: taskPriority.optional(),
  labels: labels.optional(),
  dueDate: day.nullable().optional(),
  estimate: estimate.nullable().optional(),
  projectId: id.nullable().optional(),
  branch: branchName.nullable().optional(),
  prUrl: webUrl.nullable().optional(),
});
export type TaskUpdateInput = z.infer<typeof taskUpdateInput>;

/** Moves a task next to another; before all others, if neither is given. */
export const taskMoveInput = z
  .strictObject({
    ...organizationScope,
    id: taskReference,
    /** Not changed when omitted. */
    status: taskStatusKey.optional(),
    before: taskReference.optional(),
    after: taskReference.optional(),
  })
  .refine(({ before, after }) => before === undefined || after === undefined, "give either before or after");
export type TaskMoveInput = z.infer<typeof taskMoveInput>;

export const taskGetInput = z.object({ ...organizationScope, id: taskReference });
export const taskDeleteInput = z.strictObject({ ...organizationScope, id: taskReference });
export type TaskDeleteInput = z.infer<typeof taskDeleteInput>;
/** task.restore can bring the task back until `restorableUntil`. */
export const taskDeleted = z.object({ success: z.literal(true), restorableUntil: timestamp });
export const taskRestoreInput = z.strictObject({ ...organizationScope, id: taskReference });
export type TaskRestoreInput = z.infer<typeof taskRestoreInput>;

const anyOf = <Value extends z.ZodType>(value: Value) => z.array(value).min(1).max(50);

const taskFilter = {
  ...organizationScope,
  /** The key of a status; if there is none with that key, a type of statuses. */
  status: line(80).optional(),
  /** Tasks with any of these, each as `status`. */
  statuses: anyOf(line(80)).optional(),
  assigneeId: id.optional(),
  /** Tasks of any of these. With `unassigned`, also those without an assignee. */
  assigneeIds: anyOf(id).optional(),
  /** Tasks without an assignee. Excludes assigneeId. */
  unassigned: z.literal(true).optional(),
  creatorId: id.optional(),
  priority: taskPriority.optional(),
  /** Only tasks that have any of these labels. */
  priorities: anyOf(taskPriority).optional(),
  branch: branchName.optional(),
  /** Only tasks that have all of these labels. */
  labels: labels.optional(),
  projectId: id.optional(),
  /** Selects the tasks of any of these projects. */
  projectIds: anyOf(id).optional(),
  /** Text in the title or the description, in any case. */
  search: text(200).optional(),
};
/** Pairs of fields of which a filter may have only one. */
const exclusive = [
  ["assigneeId", "unassigned"],
  ["assigneeId", "assigneeIds"],
  ["status", "statuses"],
  ["priority", "priorities"],
  ["projectId", "projectIds"],
] as const;
function checkExclusive({ value, issues }: z.core.ParsePayload<TaskFilterInput>): void {
  for (const [one, other] of exclusive)
    if (value[one] !== undefined && value[other] !== undefined)
      issues.push({ code: "custom", message: `give either ${one} or ${other}`, input: value });
}
type TaskFilterInput = Partial<Record<(typeof exclusive)[number][number], unknown>>;
/** `newest` first, or in the order that task.move makes. */
const order = z.enum(["newest", "rank"]).default("newest");
export const taskListInput = z.object({ ...taskFilter, order, ...page }).check(checkExclusive);
export type TaskListInput = z.infer<typeof taskListInput>;
export const taskCountInput = z
  .object({
    ...taskFilter,
    /** Counting stops at this number, which is quicker: this total then means "at least this many". */
    atMost: z.number().int().min(1).max(1_000_000).optional(),
  })
  .check(checkExclusive);
export type TaskCountInput = z.infer<typeof taskCountInput>;
export const taskCount = z.object({ total: z.number().int() });
export const taskCountByStatus = z.array(z.object({ status: z.string(), total: z.number().int() }));

export const taskStatus = z.object({
  key: z.string(),
  name: z.string(),
  type: taskStatusType,
  color: z.string(),
  /** Counts from 0, without gaps. A new task gets the first status. */
  position: z.number().int(),
});
export type TaskStatus = z.infer<typeof taskStatus>;

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "must be a color such as #5e6ad2")
  .toLowerCase();
const position = z.number().int().min(0).max(1000);

export const taskListStatusesInput = z.object(organizationScope);
export const taskCreateStatusInput = z.strictObject({
  ...organizationScope,
  name,
  type: taskStatusType,
  color: color.default("#8a8f98"),
  /** The place in the list, at the end when omitted. The statuses from there on move by one. */
  position: position.optional(),
});
export type TaskCreateStatusInput = z.infer<typeof taskCreateStatusInput>;
export const taskUpdateStatusInput = z.strictObject({
  ...organizationScope,
  key: taskStatusKey,
  name: name.optional(),
  type: taskStatusType.optional(),
  color: color.optional(),
  position: position.optional(),
});
export type TaskUpdateStatusInput = z.infer<typeof taskUpdateStatusInput>;
export const taskDeleteStatusInput = z.strictObject({
  ...organizationScope,
  key: taskStatusKey,
  /** The new status of its tasks. */
  moveTo: taskStatusKey.optional(),
});
export type TaskDeleteStatusInput = z.infer<typeof taskDeleteStatusInput>;

export const taskWatchInput = z.object({ ...organizationScope, lastEventId });

/**
 * A change of tasks. A restored task is `created`. After `statuses_changed`, list statuses and tasks again.
 * `tasks_changed` reports many tasks that changed together: their assignee left, or their project was deleted.
 */
export const taskChange = z.discriminatedUnion("type", [
  z.object({ type: z.literal("created"), task }),
  z.object({ type: z.literal("updated"), task }),
  z.object({ type: z.literal("deleted"), task }),
  z.object({ type: z.literal("statuses_changed") }),
  z.object({ type: z.literal("tasks_changed") }),
]);
export type TaskChange = z.infer<typeof taskChange>;

/** An event of task.watch. */
export const taskEvent = z.discriminatedUnion("type", [readyEvent, ...taskChange.options]);
export type TaskEvent = z.infer<typeof taskEvent>;
