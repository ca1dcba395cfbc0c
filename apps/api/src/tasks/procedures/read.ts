import type { Database } from "@grove/db";
import {
  type Task,
  type TaskCountInput,
  type TaskEvent,
  taskCount,
  taskCountByStatus,
  taskCountInput,
  taskEvent,
  taskGetInput,
  taskListInput,
  task as taskSchema,
  taskWatchInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import type { Kysely, RawBuilder, SqlBool } from "kysely";
import * as z from "zod";
import { watchEvents } from "../../events/watch";
import { newestFirst } from "../../lib/pagination";
import type { Services } from "../../services";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { taskTopic } from "../events";
import { matching } from "../filter";
import { rankOf } from "../rank";
import { readTask, selectTasks, toTask } from "../row";

export const readProcedures = {
  /**
   * Tasks that pass all filters, newest first or by rank. `status` is a status's key, otherwise a type of statuses; an
   * unknown one matches no tasks. `statuses`, `priorities`, `assigneeIds` and `projectIds` take several values, and
   * match tasks with any of them; `labels` matches tasks with all of them. `search` finds text in titles and
   * descriptions, in any script and regardless of case. A page ends early when its tasks reach 4 MiB: only a page
   * shorter than both `limit` and 16 is the last.
   */
  list: memberProcedure(taskListInput)
    .output(output(z.array(taskSchema)))
    .query(async ({ ctx, input }): Promise<Task[]> => {
      const db = databaseFor(ctx.services, input);
      const condition = await matching(db, ctx.services.database.engine, input);
      if (!condition) return [];
      const query = selectTasks(db, input.organizationId).where(condition);
      const order = input.order === "rank" ? [{ column: rankOf, name: "rank" }] : undefined;
      return (await newestFirst(db, "tasks", query, input, order)).map(toTask);
    }),

  /** Counts the tasks that task.list returns for the same filter, over all pages; it stops counting at `atMost`. */
  count: memberProcedure(taskCountInput)
    .output(output(taskCount))
    .query(async ({ ctx, input }) => {
      const db = databaseFor(ctx.services, input);
      const condition = await matching(db, ctx.services.database.engine, input);
      if (!condition) return { total: 0 };
      const { total } = await db
        .selectFrom(counted(db, input, condition))
        .select((eb) => eb.fn.countAll<string>().as("total"))
        .executeTakeFirstOrThrow();
      return { total: Number(total) };
    }),

  /** Like task.count, for each status that has such tasks; `atMost` bounds the sum. */
  countByStatus: memberProcedure(taskCountInput)
    .output(output(taskCountByStatus))
    .query(async ({ ctx, input }) => {
      const db = databaseFor(ctx.services, input);
      const condition = await matching(db, ctx.services.database.engine, input);
      if (!condition) return [];
      const rows = await db
        .selectFrom(counted(db, input, condition))
        .select((eb) => ["status", eb.fn.countAll<string>().as("total")])
        .groupBy("status")
        .execute();
      return rows.map(({ status, total }) => ({ status, total: Number(total) }));
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

/** The tasks that are counted. */
function counted(
  db: Kysely<Database>,
  { organizationId, atMost }: TaskCountInput,
  condition: RawBuilder<SqlBool>,
) {
  const tasks = db
    .selectFrom("tasks")
    .select("status")
    .where("organization_id", "=", organizationId)
    .where(condition);
  return (atMost === undefined ? tasks : tasks.limit(atMost)).as("counted");
}

/** A search may have to read every task's text, and counting by label every task with that label. */
const databaseFor = (
  { database }: Pick<Services, "database">,
  { search, labels }: TaskCountInput,
): Kysely<Database> => (search || labels?.length ? database.slow : database.db);
