import type { Database } from "@grove/db";
import { type Task, type TaskMoveInput, taskMoveInput, task as taskSchema } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql, type Transaction } from "kysely";
import { output } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { recordTaskEvent } from "../events";
import { lockOrder, rankFor, rankOf } from "../rank";
import { lockReferences } from "../references";
import { readTask, taskNotFound, whereTask } from "../row";
import { statusTimestamps } from "../statusTimestamps";

export const moveProcedures = {
  /**
   * Moves a task in the organization's order, which `order: "rank"` of task.list shows: directly before or after
   * another task, or before all others. `status` changes, too, if it is given, as in task.update. NOT_FOUND for one of
   * the tasks; BAD_REQUEST `unknown_status`.
   */
  move: memberProcedure(taskMoveInput)
    .output(output(taskSchema))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute((trx) => moveTask(trx, input)),
    ),
} satisfies TRPCRouterRecord;

async function moveTask(trx: Transaction<Database>, input: TaskMoveInput): Promise<Task> {
  const { organizationId, status, before, after } = input;
  await lockOrder(trx, organizationId);
  const statusType = await lockReferences(trx, organizationId, { status });
  const { id } = await find(trx, organizationId, input.id);
  const other = before ?? after;
  const beside = other === undefined ? undefined : await find(trx, organizationId, other);
  const { rank, isSpread } = await rankFor(
    trx,
    { organizationId, id },
    beside && { rank: beside.rank, side: before === undefined ? "after" : "before" },
  );
  await trx
    .updateTable("tasks")
    .set({
      rank,
      status,
      ...(statusType && statusTimestamps(statusType)),
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
  const task = await readTask(trx, organizationId, id);
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
  if (isSpread) await recordTaskEvent(trx, organizationId, { type: "tasks_changed" });
  return task;
}

async function find(trx: Transaction<Database>, organizationId: string, reference: string) {
  const row = await trx
    .selectFrom("tasks")
    .select(["id", rankOf.as("rank")])
    .where("organization_id", "=", organizationId)
    .where(whereTask(reference))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw taskNotFound(reference);
  return row;
}
