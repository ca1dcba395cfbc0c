import type { UserPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Task, TaskMoveInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { type ActivityActor, actorOf, recordTaskChanges } from "./activity";
import { lockReferences } from "./lockReferences";
import { lockOrder, rankFor } from "./rank";
import { readTask, selectTasks, toTask, whereTask } from "./row";
import { statusTimestamps } from "./statusTimestamps";
import { recordTaskEvent } from "./taskEvents";

/**
 * Moves a task in the organization's order, and changes its status if one is given.
 * @throws {GroveError} NOT_FOUND; BAD_REQUEST `unknown_status`
 */
export function moveTask(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: TaskMoveInput,
): Promise<Task> {
  return database.db.transaction().execute((trx) => moveLocked(trx, actorOf(principal), input));
}

async function moveLocked(
  trx: Transaction<Database>,
  actor: ActivityActor,
  input: TaskMoveInput,
): Promise<Task> {
  const { organizationId, status, before, after } = input;
  await lockOrder(trx, organizationId);
  const statusType = await lockReferences(trx, organizationId, { status });
  const current = await find(trx, organizationId, input.id);
  const { id } = current;
  const other = before ?? after;
  const neighbour = other === undefined ? undefined : await find(trx, organizationId, other);
  const { rank, isSpread } = await rankFor(
    trx,
    { organizationId, id },
    neighbour && { rank: neighbour.rank, side: before === undefined ? "after" : "before" },
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
  await recordTaskChanges(trx, { before: current, after: task, actor });
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
  if (isSpread) await recordTaskEvent(trx, organizationId, { type: "tasks_changed" });
  return task;
}

async function find(trx: Transaction<Database>, organizationId: string, reference: string) {
  const row = await selectTasks(trx, organizationId)
    .where(whereTask(reference))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw notFound("task", reference);
  return toTask(row);
}
