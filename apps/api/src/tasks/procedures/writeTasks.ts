import { taskCreateInput, task as taskSchema, taskUpdateInput } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { createTask } from "../create";
import { updateTask } from "../update";

export const writeProcedures = {
  /**
   * Creates a task; its slug is made from its title. Without `status` it gets the organization's first. NOT_FOUND for
   * an assignee who is not a member, or for another organization's project; BAD_REQUEST `unknown_status`; CONFLICT
   * `idempotency_key_reused` for a key that was used for another task; PRECONDITION_FAILED `quota_exceeded`.
   */
  create: memberProcedure(taskCreateInput)
    .output(output(taskSchema))
    .mutation(({ ctx, input }) => createTask(ctx.services, ctx.principal, input)),

  /**
   * Changes the given fields; null clears one. The slug stays. A status of type started or completed stamps `startedAt`
   * or `completedAt`; a status of another type clears the completion. NOT_FOUND and `unknown_status` as in task.create.
   */
  update: memberProcedure(taskUpdateInput)
    .output(output(taskSchema))
    .mutation(({ ctx, input }) => updateTask(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
