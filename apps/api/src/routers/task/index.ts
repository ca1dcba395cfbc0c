import { type TaskEvent, taskEvent, taskGetInput, task as taskSchema, taskWatchInput } from "@grove/schemas";
import { watchEvents } from "../../events/watch";
import { taskTopic } from "../../tasks/events";
import { readTask } from "../../tasks/row";
import { router } from "../../trpc/init";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { create } from "./create";
import { deleteProcedures } from "./delete";
import { count, list } from "./list";
import { createStatus, deleteStatus, listStatuses, updateStatus } from "./statuses";
import { update } from "./update";

export const taskRouter = router({
  create,
  list,
  count,

  /** A task by its UUID or slug. NOT_FOUND for a deleted one. */
  get: memberProcedure(taskGetInput)
    .output(output(taskSchema))
    .query(({ ctx, input }) => readTask(ctx.services.database.db, input.organizationId, input.id)),

  update,
  ...deleteProcedures,
  listStatuses,
  createStatus,
  updateStatus,
  deleteStatus,

  /**
   * Streams the events of the organization's tasks, resumable: those after `lastEventId`, then `ready`, then each event
   * as it happens.
   */
  watch: memberProcedure(taskWatchInput)
    .output(outputEvents(taskEvent))
    .subscription(({ ctx, input, signal }) =>
      watchEvents<TaskEvent>(ctx.services, taskTopic(input.organizationId), input.lastEventId, signal),
    ),
});
