import {
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
import * as z from "zod";
import { watchEvents } from "../../events/watch";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { countTasks, countTasksByStatus } from "../count";
import { listTasks } from "../list";
import { readTask } from "../row";
import { taskTopic } from "../taskEvents";

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
    .query(({ ctx, input }) => listTasks(ctx.services, input)),

  /** Counts the tasks that task.list returns for the same filter, over all pages; it stops counting at `atMost`. */
  count: memberProcedure(taskCountInput)
    .output(output(taskCount))
    .query(({ ctx, input }) => countTasks(ctx.services, input)),

  /** Like task.count, for each status that has such tasks; `atMost` bounds the sum. */
  countByStatus: memberProcedure(taskCountInput)
    .output(output(taskCountByStatus))
    .query(({ ctx, input }) => countTasksByStatus(ctx.services, input)),

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
