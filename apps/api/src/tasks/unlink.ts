import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { recordTaskEvent } from "./taskEvents";

/**
 * Unassigns a departing member's tasks, or detaches a deleted project's tasks. Their foreign keys would do that too,
 * but no watcher would be notified. Call it after locking the row that goes and before deleting it.
 * @returns the organizations whose tasks have changed, for recordTasksChanged
 */
export async function unlinkTasks(
  trx: Transaction<Database>,
  organizationIds: string[],
  gone: { assigneeId: string } | { projectId: string },
): Promise<string[]> {
  if (organizationIds.length === 0) return [];
  const updated = trx.updateTable("tasks").where("organization_id", "in", organizationIds);
  const updatedAt = { updated_at: sql<string>`now()` };
  const query =
    "assigneeId" in gone
      ? updated.set({ assignee_id: null, ...updatedAt }).where("assignee_id", "=", gone.assigneeId)
      : updated.set({ project_id: null, ...updatedAt }).where("project_id", "=", gone.projectId);
  const rows = await query.returning("organization_id").execute();
  return [...new Set(rows.map((row) => row.organization_id))].sort();
}

/** Notifies watchers of these organizations' tasks to list them again. Call it last in the transaction. */
export async function recordTasksChanged(
  trx: Transaction<Database>,
  organizationIds: string[],
): Promise<void> {
  for (const organizationId of organizationIds)
    await recordTaskEvent(trx, organizationId, { type: "tasks_changed" });
}
