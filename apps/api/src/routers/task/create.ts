import { isUniqueViolation } from "@grove/db";
import { type TaskCreateInput, taskCreateInput, task as taskSchema } from "@grove/schemas";
import { hashOf, idempotencyOwner } from "../../lib/idempotency";
import { recordTaskEvent } from "../../tasks/events";
import { type TaskKey, taskOfKey } from "../../tasks/idempotency";
import { insertTask } from "../../tasks/insert";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";

/**
 * Creates a task; its slug is made from its title. Without `status` it gets the organization's first. NOT_FOUND for an
 * assignee who is not a member, or for another organization's project; BAD_REQUEST `unknown_status`; CONFLICT
 * `idempotency_key_reused` for a key that was used for another task; PRECONDITION_FAILED `quota_exceeded`.
 */
export const create = memberProcedure(taskCreateInput)
  .output(output(taskSchema))
  .mutation(async ({ ctx, input }) => {
    const { db } = ctx.services.database;
    const key = keyOf(input, idempotencyOwner(ctx.principal));
    const createOnce = () =>
      db.transaction().execute(async (trx) => {
        const before = key && (await taskOfKey(trx, input.organizationId, key));
        if (before) return before;
        await ctx.services.quotas.take(trx, "tasks", input.organizationId);
        const task = await insertTask(trx, ctx.principal.user.id, input, null, key);
        await recordTaskEvent(trx, input.organizationId, { type: "created", task });
        return task;
      });
    return createOnce().catch((error: unknown) => {
      // A concurrent call has just created it with the same key.
      if (isUniqueViolation(error, "tasks_idempotency_key")) return createOnce();
      throw error;
    });
  });

function keyOf({ idempotencyKey, ...meaning }: TaskCreateInput, principal: string): TaskKey | undefined {
  if (idempotencyKey === undefined) return undefined;
  return {
    idempotency_principal: principal,
    idempotency_key: idempotencyKey,
    idempotency_hash: hashOf(meaning),
  };
}
