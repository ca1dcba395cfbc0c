import { taskMoveInput, task as taskSchema } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { moveTask } from "../move";

export const moveProcedures = {
  /**
   * Moves a task in the organization's order, which `order: "rank"` of task.list shows: directly before or after
   * another task, or before all others. `status` changes, too, if it is given, as in task.update. NOT_FOUND for one of
   * the tasks; BAD_REQUEST `unknown_status`.
   */
  move: memberProcedure(taskMoveInput)
    .output(output(taskSchema))
    .mutation(({ ctx, input }) => moveTask(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
