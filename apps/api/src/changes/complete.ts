import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { firstStatusOf } from "../tasks/lockReferences";
import { statusTimestamps } from "../tasks/statusTimestamps";
import { ChangedTasks } from "./changedTasks";
import { progressOf } from "./taskProgress";

/**
 * Detaches the change of a workspace that is about to be deleted. Without a pull request, the change counts as closed.
 * Its task is then completed if all other changes are done.
 * @returns the changed tasks; record them last in the transaction
 */
export async function abandonChange(
  trx: Transaction<Database>,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string },
): Promise<ChangedTasks> {
  const changed = new ChangedTasks(trx, organizationId);
  // Locked before the task, as in every transaction that changes the status of a task.
  const status = await firstStatusOf(trx, organizationId, "completed");
  const rows = await trx
    .updateTable("changes")
    .set({ workspace_id: null, updated_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("workspace_id", "=", workspaceId)
    .returning("task_id")
    .execute();
  const ids = rows.flatMap(({ task_id }) => task_id ?? []);
  await completeTasks(changed, trx, organizationId, { status, ids });
  return changed;
}

/** Locks tasks, ordered by id. @returns the tasks that exist, and whether each is still open */
export const lockTasks = (trx: Transaction<Database>, organizationId: string, ids: string[]) =>
  trx
    .selectFrom("tasks")
    .innerJoin("task_statuses", (join) =>
      join
        .onRef("task_statuses.organization_id", "=", "tasks.organization_id")
        .onRef("task_statuses.key", "=", "tasks.status"),
    )
    .select(["tasks.id", "tasks.pr_url"])
    .select(sql<boolean>`task_statuses.type not in ('completed', 'canceled')`.as("is_open"))
    .where("tasks.organization_id", "=", organizationId)
    .where("tasks.id", "=", sql<string>`any(${ids}::uuid[])`)
    .where("tasks.deleted_at", "is", null)
    .orderBy("tasks.id")
    .forUpdate("tasks")
    .execute();

/**
 * Completes each task whose changes have all reached a done branch. Closed changes are ignored.
 * @param status the organization's first status of type completed, locked before the tasks; undefined if it has none
 * @param named tasks that a merged pull request names; they are completed even without a finished change
 * @returns the ids of the tasks that are still open
 */
export async function completeTasks(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  organizationId: string,
  { status, ids, named = [] }: { status: string | undefined; ids: string[]; named?: string[] },
): Promise<string[]> {
  const tasks = await lockTasks(trx, organizationId, ids);
  const open = tasks.filter(({ is_open }) => is_open).map(({ id }) => id);
  if (open.length === 0) return [];
  const remaining: string[] = [];
  for (const { taskId, isPending, isDone } of await progressOf(trx, organizationId, open)) {
    const isComplete = !isPending && (isDone || named.includes(taskId));
    if (isComplete && status !== undefined)
      await changed.change(taskId, { status, ...statusTimestamps("completed") });
    else remaining.push(taskId);
  }
  return remaining;
}
