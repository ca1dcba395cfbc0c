import { type Database, newId } from "@grove/db";
import { branchName, commitId } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type { Quotas } from "../limits/quotas";
import { readTask } from "../tasks/row";
import { recordTaskEvent } from "../tasks/taskEvents";

interface WorkspaceOfChange {
  organizationId: string;
  workspaceId: string;
}

/** Reads a workspace's branch, base and fork commit from its configuration. */
function branchIn(config: Record<string, unknown>) {
  return {
    branch: branchName.safeParse(config.branchName).data,
    base_branch: branchName.safeParse(config.baseBranch).data ?? null,
    fork_commit: commitId.safeParse(config.forkCommit).data ?? null,
  };
}

/**
 * Records the change of a new workspace. If the branch has a change whose workspace was deleted, and which was not
 * merged or closed, the workspace continues it. A workspace without a branch, or on its project's default branch, has
 * no change.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export async function recordChange(
  trx: Transaction<Database>,
  quotas: Quotas,
  { organizationId, workspaceId }: WorkspaceOfChange,
): Promise<void> {
  const workspace = await trx
    .selectFrom("workspaces")
    .innerJoin("projects", (join) =>
      join
        .onRef("projects.organization_id", "=", "workspaces.organization_id")
        .onRef("projects.id", "=", "workspaces.project_id"),
    )
    .select(["workspaces.project_id", "workspaces.device_id", "workspaces.config", "workspaces.type"])
    .select("projects.default_branch")
    .where("workspaces.organization_id", "=", organizationId)
    .where("workspaces.id", "=", workspaceId)
    .executeTakeFirstOrThrow();
  const { branch, ...start } = branchIn(workspace.config);
  const isOwnBranch = workspace.type === "worktree" && branch !== workspace.default_branch;
  if (branch === undefined || !isOwnBranch) return;
  const { project_id, device_id } = workspace;
  const continued = await continueChange(trx, organizationId, { branch, project_id, workspaceId, device_id });
  if (continued) return;
  await quotas.take(trx, "changes", organizationId);
  const id = newId();
  await trx
    .insertInto("changes")
    .values({
      id,
      organization_id: organizationId,
      project_id,
      workspace_id: workspaceId,
      device_id,
      branch,
      ...start,
      task_id: await taskOfBranch(trx, organizationId, { project_id, branch }),
    })
    .execute();
  await linkOpenPullRequests(trx, { organizationId, id });
}

/** Links the workspace to an unfinished change of its branch. @returns whether there was one */
async function continueChange(
  trx: Transaction<Database>,
  organizationId: string,
  {
    branch,
    project_id,
    workspaceId,
    device_id,
  }: { branch: string; project_id: string; workspaceId: string; device_id: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    update changes set workspace_id = ${workspaceId}, device_id = ${device_id}, updated_at = now()
    where organization_id = ${organizationId} and id = (
      select id from changes as earlier
      where organization_id = ${organizationId} and project_id = ${project_id} and branch = ${branch}
        and workspace_id is null and not exists (
          select from pull_requests as pull
          where pull.organization_id = ${organizationId} and pull.change_id = earlier.id
            and pull.state in ('merged', 'closed'))
      order by created_at desc limit 1)
    returning id`.execute(trx);
  return rows.length > 0;
}

/** Returns the open task that has the branch in the project; null if there is none, or more than one. */
async function taskOfBranch(
  trx: Transaction<Database>,
  organizationId: string,
  { project_id, branch }: { project_id: string; branch: string },
): Promise<string | null> {
  const tasks = await trx
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", project_id)
    .where("branch", "=", branch)
    .where("deleted_at", "is", null)
    .where("completed_at", "is", null)
    .limit(2)
    .execute();
  return tasks.length === 1 ? (tasks[0]?.id ?? null) : null;
}

/** Links a change to the open pull requests of its branch that have no change. */
const linkOpenPullRequests = (
  trx: Transaction<Database>,
  { organizationId, id }: { organizationId: string; id: string },
) =>
  sql`
    update pull_requests as pull set change_id = change.id
    from changes as change
    join projects as project on project.organization_id = change.organization_id and project.id = change.project_id
    where change.organization_id = ${organizationId} and change.id = ${id}
      and pull.organization_id = ${organizationId} and pull.repository_id = project.repository_id
      and pull.head = change.branch and pull.change_id is null and pull.state in ('open', 'draft')`.execute(
    trx,
  );

/**
 * Renames the branch of a workspace's change, and of its task if the task had the former branch. A workspace that
 * switches to the default branch of its project keeps its change. Call it last in the transaction.
 */
export async function followBranch(
  trx: Transaction<Database>,
  { organizationId, workspaceId }: WorkspaceOfChange,
  config: Record<string, unknown>,
): Promise<void> {
  const { branch } = branchIn(config);
  if (branch === undefined) return;
  const { rows } = await sql<{ id: string; task_id: string | null; former: string }>`
    update changes as change set branch = ${branch}, updated_at = now()
    from changes as before
    join projects as project on project.organization_id = before.organization_id and project.id = before.project_id
    where before.organization_id = ${organizationId} and before.workspace_id = ${workspaceId}
      and before.branch <> ${branch} and project.default_branch <> ${branch}
      and change.organization_id = ${organizationId} and change.id = before.id
    returning change.id, change.task_id, before.branch as former`.execute(trx);
  for (const { id, task_id, former } of rows) {
    await linkOpenPullRequests(trx, { organizationId, id });
    const renamed = await trx
      .updateTable("tasks")
      .set({ branch, updated_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", task_id)
      .where("branch", "=", former)
      .where("deleted_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (!renamed) continue;
    const task = await readTask(trx, organizationId, renamed.id);
    await recordTaskEvent(trx, organizationId, { type: "updated", task });
  }
}

/**
 * Links a workspace's change to the task that an agent starts there, unless the change already has a task.
 * @returns the branch of the task's first change; undefined if it has no change
 */
export async function linkTask(
  trx: Transaction<Database>,
  { organizationId, workspaceId }: WorkspaceOfChange,
  taskId: string,
): Promise<string | undefined> {
  await trx
    .updateTable("changes")
    .set({ task_id: taskId, updated_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("workspace_id", "=", workspaceId)
    .where("task_id", "is", null)
    .execute();
  const first = await trx
    .selectFrom("changes")
    .select("branch")
    .where("organization_id", "=", organizationId)
    .where("task_id", "=", taskId)
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return first?.branch;
}
