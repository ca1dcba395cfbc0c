import { taskDeleted, taskDeleteInput, taskRestoreInput, task as taskSchema } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { deleteTask, restoreTask } from "../delete";

/** Deletes and restores tasks. */
export const deleteProcedures = {
  /** Deletes a task. Until `restorableUntil`, 30 days later, task.restore brings it back. */
  delete: memberProcedure(taskDeleteInput)
    .output(output(taskDeleted))
    .mutation(({ ctx, input }) => deleteTask(ctx.services, ctx.principal, input)),

  /** Restores a deleted task, up to 30 days later. A task that is not deleted is returned unchanged. */
  restore: memberProcedure(taskRestoreInput)
    .output(output(taskSchema))
    .mutation(({ ctx, input }) => restoreTask(ctx.services, input)),
} satisfies TRPCRouterRecord;
