import type { Database } from "@grove/db";
import { branchName } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { recordTaskEvent } from "../tasks/events";
import { readTask, selectTasks } from "../tasks/row";
import { statusTimestamps } from "../tasks/statusTimestamps";

/**
 * Records that work on a task has begun in a workspace: sets the task in progress, unless it is, and gives it the
 * workspace's branch.
 * @param status the key of the organization's first status of type started, locked before the task
 */
export async function startTask(
  trx: Transaction<Database>,
  organizationId: string,
  { taskId, workspaceId, status }: { taskId: string; workspaceId: string; status: string | undefined },
): Promise<void> {
  const current = await selectTasks(trx, organizationId)
    .where("tasks.id", "=", taskId)
    .forUpdate("tasks")
    .executeTakeFirstOrThrow();
  const { config } = await trx
    .selectFrom("workspaces")
    .select("config")
    .where("organization_id", "=", organizationId)
    .where("id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("tasks")
    // Kysely leaves undefined fields out of the statement.
    .set({
      ...(status !== undefined &&
        current.status_type !== "started" && { status, ...statusTimestamps("started") }),
      branch: branchName.safeParse(config.branchName).data,
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", taskId)
    .execute();
  const task = await readTask(trx, organizationId, taskId);
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
}
