import { type Database, isUniqueViolation } from "@grove/db";
import {
  type Task,
  type TaskCreateInput,
  type TaskUpdateInput,
  taskCreateInput,
  task as taskSchema,
  taskUpdateInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql, type Transaction } from "kysely";
import { hashOf, idempotencyOwner } from "../../lib/idempotency";
import type { Quotas } from "../../limits/quotas";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { takeBytes } from "../bytes";
import { recordTaskEvent } from "../events";
import { type TaskKey, taskOfKey } from "../idempotency";
import { insertTask } from "../insert";
import { lockReferences } from "../references";
import { readTask, taskNotFound, whereTask } from "../row";
import { searchTextOf } from "../searchText";
import { statusTimestamps } from "../statusTimestamps";

export const writeProcedures = {
  /**
   * Creates a task; its slug is made from its title. Without `status` it gets the organization's first. NOT_FOUND for
   * an assignee who is not a member, or for another organization's project; BAD_REQUEST `unknown_status`; CONFLICT
   * `idempotency_key_reused` for a key that was used for another task; PRECONDITION_FAILED `quota_exceeded`.
   */
  create: memberProcedure(taskCreateInput)
    .output(output(taskSchema))
    .mutation(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const key = keyOf(input, idempotencyOwner(ctx.principal));
      const createOnce = () =>
        db.transaction().execute(async (trx) => {
          const before = key && (await taskOfKey(trx, input.organizationId, key));
          if (before) return before;
          await ctx.services.quotas.take(trx, "tasks", input.organizationId);
          await takeBytes(trx, ctx.services.quotas, input.organizationId, input);
          const task = await insertTask(trx, ctx.principal.user.id, input, null, key);
          await recordTaskEvent(trx, input.organizationId, { type: "created", task });
          return task;
        });
      return createOnce().catch((error: unknown) => {
        // A concurrent call has just created it with the same key.
        if (isUniqueViolation(error, "tasks_idempotency_key")) return createOnce();
        throw error;
      });
    }),

  /**
   * Changes the given fields; null clears one. The slug stays. A status of type started or completed stamps `startedAt`
   * or `completedAt`; a status of another type clears the completion. NOT_FOUND and `unknown_status` as in task.create.
   */
  update: memberProcedure(taskUpdateInput)
    .output(output(taskSchema))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute((trx) => updateTask(trx, ctx.services.quotas, input)),
    ),
} satisfies TRPCRouterRecord;

function keyOf({ idempotencyKey, ...meaning }: TaskCreateInput, principal: string): TaskKey | undefined {
  if (idempotencyKey === undefined) return undefined;
  return {
    idempotency_principal: principal,
    idempotency_key: idempotencyKey,
    idempotency_hash: hashOf(meaning),
  };
}

async function updateTask(trx: Transaction<Database>, quotas: Quotas, input: TaskUpdateInput): Promise<Task> {
  const { organizationId } = input;
  await takeBytes(trx, quotas, organizationId, input);
  const statusType = await lockReferences(trx, organizationId, input);
  const current = await trx
    .selectFrom("tasks")
    .select(["id", "title", "description"])
    .where("organization_id", "=", organizationId)
    .where(whereTask(input.id))
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (!current) throw taskNotFound(input.id);
  const title = input.title ?? current.title;
  const description = input.description === undefined ? current.description : input.description;
  await trx
    .updateTable("tasks")
    // Kysely leaves undefined fields out of the statement.
    .set({
      title,
      description,
      // Otherwise its bigrams would be computed again, too.
      search_text:
        input.title === undefined && input.description === undefined
          ? undefined
          : searchTextOf(title, description),
      status: input.status,
      ...(statusType && statusTimestamps(statusType)),
      priority: input.priority,
      assignee_id: input.assigneeId,
      project_id: input.projectId,
      labels: input.labels,
      due_date: input.dueDate,
      estimate: input.estimate,
      branch: input.branch,
      pr_url: input.prUrl,
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", current.id)
    .execute();
  const task = await readTask(trx, organizationId, current.id);
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
  return task;
}
