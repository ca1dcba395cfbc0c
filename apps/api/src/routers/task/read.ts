import type { Database } from "@grove/db";
import {
  type Task,
  type TaskCountInput,
  type TaskEvent,
  type TaskStatusType,
  taskCount,
  taskCountInput,
  taskEvent,
  taskGetInput,
  taskListInput,
  task as taskSchema,
  taskWatchInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from "kysely";
import * as z from "zod";
import { watchEvents } from "../../events/watch";
import { newestFirst } from "../../lib/pagination";
import type { Services } from "../../services";
import { taskTopic } from "../../tasks/events";
import { foldForSearch } from "../../tasks/fields";
import { readTask, selectTasks, toTask } from "../../tasks/row";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

export const readProcedures = {
  /**
   * Tasks, newest first. `status` is a status's key, otherwise a type of statuses; an unknown one matches no tasks.
   * `search` finds text in titles and descriptions, in any script and regardless of case. A page ends early when its
   * tasks reach 4 MiB: only a page shorter than both `limit` and 16 is the last.
   */
  list: memberProcedure(taskListInput)
    .output(output(z.array(taskSchema)))
    .query(async ({ ctx, input }): Promise<Task[]> => {
      const db = databaseFor(ctx.services, input);
      const statuses = await statusesOf(db, input);
      if (statuses?.length === 0) return [];
      const few = await fewLabelled(db, input);
      if (few?.length === 0) return [];
      let query = selectTasks(db, input.organizationId).where(matching(input, statuses));
      if (few) query = query.where(sql<boolean>`tasks.id = any(${few}::uuid[])`);
      return (await newestFirst(db, "tasks", query, input)).map(toTask);
    }),

  /** Counts the tasks that task.list returns for the same filter, over all pages. */
  count: memberProcedure(taskCountInput)
    .output(output(taskCount))
    .query(async ({ ctx, input }) => {
      const db = databaseFor(ctx.services, input);
      const statuses = await statusesOf(db, input);
      if (statuses?.length === 0) return { total: 0 };
      const { total } = await db
        .selectFrom("tasks")
        .select((eb) => eb.fn.countAll<string>().as("total"))
        .where("organization_id", "=", input.organizationId)
        .where(matching(input, statuses))
        .executeTakeFirstOrThrow();
      return { total: Number(total) };
    }),

  /** A task by its UUID or slug. NOT_FOUND for a deleted one. */
  get: memberProcedure(taskGetInput)
    .output(output(taskSchema))
    .query(({ ctx, input }) => readTask(ctx.services.database.db, input.organizationId, input.id)),

  /**
   * Streams the events of the organization's tasks, resumable: those after `lastEventId`, then `ready`, then each event
   * as it happens.
   */
  watch: memberProcedure(taskWatchInput)
    .output(outputEvents(taskEvent))
    .subscription(({ ctx, input, signal }) =>
      watchEvents<TaskEvent>(ctx.services, taskTopic(input.organizationId), input.lastEventId, signal),
    ),
} satisfies TRPCRouterRecord;

/** The tasks of the organization that are not deleted and pass the filter. */
const matching =
  (filter: TaskCountInput, statuses: string[] | undefined) =>
  (eb: ExpressionBuilder<Database, "tasks">): Expression<SqlBool> => {
    const conditions: Expression<SqlBool>[] = [eb("tasks.deleted_at", "is", null)];
    const { assigneeId, unassigned, creatorId, priority, branch, labels, projectId, search } = filter;
    // A single status is compared with `=`: its index then yields the tasks in their order.
    if (statuses?.length === 1) conditions.push(eb("tasks.status", "=", `${statuses[0]}`));
    else if (statuses) conditions.push(eb("tasks.status", "=", sql<string>`any(${statuses}::text[])`));
    if (assigneeId) conditions.push(eb("tasks.assignee_id", "=", assigneeId));
    if (unassigned) conditions.push(eb("tasks.assignee_id", "is", null));
    if (branch !== undefined) conditions.push(eb("tasks.branch", "=", branch));
    if (creatorId) conditions.push(eb("tasks.creator_id", "=", creatorId));
    if (priority) conditions.push(eb("tasks.priority", "=", priority));
    if (labels?.length) conditions.push(eb("tasks.labels", "@>", sql<string[]>`${labels}::text[]`));
    if (projectId) conditions.push(eb("tasks.project_id", "=", projectId));
    if (search) conditions.push(eb("tasks.search_text", "like", containing(search)));
    return eb.and(conditions);
  };

/**
 * The keys of the statuses that a filter means: a key, otherwise a type. Undefined when it names none. An unknown one
 * means no status, and so no task.
 */
async function statusesOf(
  db: Kysely<Database>,
  { organizationId, status }: TaskCountInput,
): Promise<string[] | undefined> {
  if (status === undefined) return undefined;
  const rows = await db
    .selectFrom("task_statuses")
    .select("key")
    .where("organization_id", "=", organizationId)
    .where((eb) => eb.or([eb("key", "=", status), eb("type", "=", status as TaskStatusType)]))
    .execute();
  const keys = rows.map(({ key }) => key);
  return keys.includes(status) ? [status] : keys;
}

/** As many tasks as are read and sorted in a moment. */
const FEW = 1_000;

/**
 * The tasks that have these labels, if they are few; undefined if they are many, or no labels are named. The planner
 * knows nothing of rare labels, and would search for them from the newest task to the oldest.
 */
async function fewLabelled(
  db: Kysely<Database>,
  { organizationId, labels }: TaskCountInput,
): Promise<string[] | undefined> {
  if (!labels?.length) return undefined;
  const rows = await db
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("deleted_at", "is", null)
    .where("labels", "@>", sql<string[]>`${labels}::text[]`)
    .limit(FEW)
    .execute();
  return rows.length < FEW ? rows.map(({ id }) => id) : undefined;
}

/** A search may have to read every task's text, and counting by label every task with that label. */
const databaseFor = ({ database }: Services, { search, labels }: TaskCountInput): Kysely<Database> =>
  search || labels?.length ? database.slow : database.db;

/** A LIKE pattern for text anywhere in a foldForSearch column; % and _ are literal. */
const containing = (text: string) => `%${foldForSearch(text).replace(/[\\%_]/g, "\\$&")}%`;
