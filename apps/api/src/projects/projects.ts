import { GroveError, type Principal, recordAudit, requireMembership, type UserPrincipal } from "@grove/auth";
import { isUniqueViolation } from "@grove/db";
import {
  id as idSchema,
  type Project,
  type ProjectCreateInput,
  type ProjectDeleteInput,
  type ProjectGetInput,
  type ProjectListInput,
  type ProjectUpdateInput,
} from "@grove/schemas";
import { sql } from "kysely";
import { notFound } from "../lib/notFound";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { recordTasksChanged, unlinkTasks } from "../tasks/unlink";
import { insertProject, projectCreated, requireReachable } from "./insert";
import { toProject } from "./row";

/**
 * Creates a project.
 * @throws {GroveError} CONFLICT `slug_taken`; BAD_REQUEST for a repository that only a device can reach;
 * PRECONDITION_FAILED `quota_exceeded`
 */
export async function createProject(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: Principal,
  input: ProjectCreateInput,
): Promise<Project> {
  const { organizationId } = input;
  try {
    return await database.db.transaction().execute(async (trx) => {
      await requireReachable(trx, principal, organizationId, input.repoUrl);
      await quotas.take(trx, "projects", organizationId);
      const row = await insertProject(trx, organizationId, input).returningAll().executeTakeFirstOrThrow();
      await recordAudit(trx, principal, projectCreated(organizationId, row));
      return toProject(row);
    });
  } catch (error) {
    if (!isUniqueViolation(error, "projects_slug")) throw error;
    throw new GroveError(
      "CONFLICT",
      `A project with the slug "${input.slug}" already exists. Choose another slug.`,
      { reason: "slug_taken" },
    );
  }
}

/** Reads a page of an organization's projects, newest first. */
export async function listProjects(
  { database }: Pick<Services, "database">,
  input: ProjectListInput,
): Promise<Project[]> {
  const { db } = database;
  const query = db.selectFrom("projects").selectAll().where("organization_id", "=", input.organizationId);
  return (await newestFirst(db, "projects", query, input)).map(toProject);
}

/**
 * Reads a project by its UUID or slug.
 * @throws {GroveError} NOT_FOUND
 */
export async function readProject(
  { database }: Pick<Services, "database">,
  { organizationId, id }: ProjectGetInput,
): Promise<Project> {
  const row = await database.db
    .selectFrom("projects")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(idSchema.safeParse(id).success ? "id" : "slug", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("project", id);
  return toProject(row);
}

/**
 * Changes the given fields.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN for a member who changes the repository's URL
 */
export async function updateProject(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: ProjectUpdateInput,
): Promise<Project> {
  const { organizationId, id, ...changes } = input;
  const { name, defaultBranch, restorePoints, doneBranches, maxRounds, gateOnFinish, repoUrl } = changes;
  if (repoUrl !== undefined) requireMembership(principal, organizationId, "admin");
  return database.db.transaction().execute(async (trx) => {
    await requireReachable(trx, principal, organizationId, repoUrl);
    const row = await trx
      .updateTable("projects")
      .set({
        name,
        default_branch: defaultBranch,
        restore_points: restorePoints,
        done_branches: doneBranches,
        max_rounds: maxRounds,
        gate_on_finish: gateOnFinish,
        repo_url: repoUrl,
        // Another address may belong to another repository.
        ...(repoUrl !== undefined && { repository_id: null }),
        updated_at: sql<string>`now()`,
      })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound("project", id);
    await recordAudit(trx, principal, {
      organizationId,
      action: "project.update",
      target: { type: "project", id },
      metadata: changes,
    });
    return toProject(row);
  });
}

/**
 * Deletes a project with its workspaces and secrets, and unlinks its tasks.
 * @throws {GroveError} NOT_FOUND
 */
export function deleteProject(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: ProjectDeleteInput,
) {
  return database.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom("projects")
      .select(["id", "name", "slug"])
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", input.id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound("project", input.id);
    // The lock above keeps new workspaces out. Deleted ones leave a tombstone, as in workspace.delete.
    const workspaces = await trx
      .deleteFrom("workspaces")
      .where("organization_id", "=", input.organizationId)
      .where("project_id", "=", row.id)
      .returning(["id", "device_id"])
      .execute();
    if (workspaces.length > 0)
      await trx
        .insertInto("workspace_tombstones")
        .columns(["id", "organization_id"])
        .expression(
          sql`select unnest(${workspaces.map(({ id }) => id)}::uuid[]), ${input.organizationId}::uuid`,
        )
        .execute();
    const unlinked = await unlinkTasks(trx, [input.organizationId], { projectId: row.id });
    await trx
      .deleteFrom("projects")
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", row.id)
      .execute();
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "project.delete",
      target: { type: "project", id: row.id },
      metadata: { name: row.name, slug: row.slug, workspaces: workspaces.length },
    });
    await recordTasksChanged(trx, unlinked);
    const onDevice = workspaces.some(({ device_id }) => device_id !== null);
    return { success: true as const, ...(onDevice && { worktreeKept: true as const }) };
  });
}
