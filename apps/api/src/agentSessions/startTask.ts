import type { Database } from "@grove/db";
import { branchName } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { linkTask } from "../changes/record";
import { recordTaskChanges } from "../tasks/activity";
import { readTask, selectTasks, toTask } from "../tasks/row";
import { statusTimestamps } from "../tasks/statusTimestamps";
import { recordTaskEvent } from "../tasks/taskEvents";

/**
 * Records that work on a task has begun in a workspace: sets the task in progress, unless it is, and gives it the
 * workspace's branch, or that of its first change.
 * @param startedBy the user who started the agent; null for a person at the machine
 * @param status the key of the organization's first status of type started, locked before the task
 */
export async function startTask(
  trx: Transaction<Database>,
  organizationId: string,
  {
    taskId,
    workspaceId,
    startedBy,
    status,
  }: { taskId: string; workspaceId: string; startedBy: string | null; status: string | undefined },
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
  const firstBranch = await linkTask(trx, { organizationId, workspaceId }, taskId);
  await trx
    .updateTable("tasks")
    // Kysely leaves undefined fields out of the statement.
    .set({
      ...(status !== undefined &&
        current.status_type !== "started" && { status, ...statusTimestamps("started") }),
      branch: firstBranch ?? branchName.safeParse(config.branchName).data,
      updated_at: sql<string>`now()`,
    })
    .where("organization_id", "=", organizationId)
    .where("id", "=", taskId)
    .execute();
  const task = await readTask(trx, organizationId, taskId);
  const actor = { actor_kind: "user", actor_id: startedBy } as const;
  await recordTaskChanges(trx, { before: toTask(current), after: task, actor });
  await recordTaskEvent(trx, organizationId, { type: "updated", task });
}
