import { recordAudit, type UserPrincipal } from "@grove/auth";
import type { Task, TaskDeleteInput, TaskRestoreInput } from "@grove/schemas";
import { sql } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { deletedTaskNotFound, readTask, whereTask } from "./row";
import { recordTaskEvent } from "./taskEvents";

/**
 * Deletes a task; restoreTask brings it back.
 * @throws {GroveError} NOT_FOUND
 */
export function deleteTask(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  { organizationId, id }: TaskDeleteInput,
) {
  return database.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("tasks")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where(whereTask(id))
      .where("deleted_at", "is", null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound("task", id);
    const task = await readTask(trx, organizationId, row.id);
    const { until } = await trx
      .updateTable("tasks")
      .set({ deleted_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", row.id)
      .returning(sql<string>`deleted_at + ${lifetimes.deletedTask}`.as("until"))
      .executeTakeFirstOrThrow();
    await recordAudit(trx, principal, {
      organizationId,
      action: "task.delete",
      target: { type: "task", id: task.id },
      metadata: { slug: task.slug, title: task.title },
    });
    await recordTaskEvent(trx, organizationId, { type: "deleted", task });
    return { success: true as const, restorableUntil: until };
  });
}

/**
 * Restores a deleted task. A task that is not deleted is returned unchanged.
 * @throws {GroveError} NOT_FOUND
 */
export function restoreTask(
  { database }: Pick<Services, "database">,
  { organizationId, id }: TaskRestoreInput,
): Promise<Task> {
  return database.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("tasks")
      .select(["id", "deleted_at"])
      .where("organization_id", "=", organizationId)
      .where(whereTask(id))
      // Checked here, because the sweeper may be late.
      .where((eb) =>
        eb.or([
          eb("deleted_at", "is", null),
          eb("deleted_at", ">", sql<string>`now() - ${lifetimes.deletedTask}`),
        ]),
      )
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw deletedTaskNotFound(id);
    if (row.deleted_at === null) return readTask(trx, organizationId, row.id);
    await trx
      .updateTable("tasks")
      .set({ deleted_at: null })
      .where("organization_id", "=", organizationId)
      .where("id", "=", row.id)
      .execute();
    const task = await readTask(trx, organizationId, row.id);
    await recordTaskEvent(trx, organizationId, { type: "created", task });
    return task;
  });
}
