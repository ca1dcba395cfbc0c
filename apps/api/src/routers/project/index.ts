import { GroveError, type Principal, recordAudit, requireMembership } from "@grove/auth";
import { type Database, isUniqueViolation, newId, type ProjectTable } from "@grove/db";
import {
  type Project,
  project,
  projectCreateInput,
  projectDeleted,
  projectDeleteInput,
  projectGetInput,
  projectListInput,
  projectUpdateInput,
} from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import { newestFirst } from "../../lib/pagination";
import { recordTasksChanged, unlinkTasks } from "../../tasks/unlink";
import { output } from "../../trpc/output";
import { memberOrDeviceProcedure, memberProcedure, router } from "../../trpc/procedures";
import { secretProcedures } from "./secrets";

export const projectRouter = router({
  /**
   * Creates a project. CONFLICT `slug_taken` for a slug that the organization uses already; BAD_REQUEST for a repository
   * in a directory (`file:`), which only the device that has it can name; PRECONDITION_FAILED `quota_exceeded`.
   */
  create: memberOrDeviceProcedure(projectCreateInput)
    .output(output(project))
    .mutation(async ({ ctx, input }) => {
      const { organizationId } = input;
      try {
        return await ctx.services.database.db.transaction().execute(async (trx) => {
          await requireReachable(trx, ctx.principal, organizationId, input.repoUrl);
          await ctx.services.quotas.take(trx, "projects", organizationId);
          const row = await insertProject(trx, organizationId, input)
            .returningAll()
            .executeTakeFirstOrThrow();
          await recordAudit(trx, ctx.principal, created(organizationId, row));
          return toProject(row);
        });
      } catch (error) {
        if (!isUniqueViolation(error, "projects_slug")) throw error;
        throw new GroveError(
          "CONFLICT",
          `A project with the slug "${input.slug}" exists already. Choose another slug.`,
          { reason: "slug_taken" },
        );
      }
    }),

  /** Newest first. */
  list: memberOrDeviceProcedure(projectListInput)
    .output(output(z.array(project)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const query = db.selectFrom("projects").selectAll().where("organization_id", "=", input.organizationId);
      return (await newestFirst(db, "projects", query, input)).map(toProject);
    }),

  /** One project of the organization; NOT_FOUND else. */
  get: memberOrDeviceProcedure(projectGetInput)
    .output(output(project))
    .query(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .selectFrom("projects")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .where("id", "=", input.id)
        .executeTakeFirst();
      return toProject(row ?? notFound(input.id));
    }),

  /** Changes what is given. The repository's URL is org-admins' to change, since devices clone from it. */
  update: memberProcedure(projectUpdateInput)
    .output(output(project))
    .mutation(async ({ ctx, input }) => {
      const { organizationId, id, name, defaultBranch, repoUrl } = input;
      if (repoUrl !== undefined) requireMembership(ctx.principal, organizationId, "admin");
      return ctx.services.database.db.transaction().execute(async (trx) => {
        await requireReachable(trx, ctx.principal, organizationId, repoUrl);
        const row = await trx
          .updateTable("projects")
          .set({ name, default_branch: defaultBranch, repo_url: repoUrl, updated_at: sql<string>`now()` })
          .where("organization_id", "=", organizationId)
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        if (!row) notFound(id);
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "project.update",
          target: { type: "project", id },
          metadata: { name, defaultBranch, repoUrl },
        });
        return toProject(row);
      });
    }),

  /** Removes the project with its workspaces and secrets. Worktrees on devices stay on disk: `worktreeKept`. */
  delete: memberProcedure(projectDeleteInput, "admin")
    .output(output(projectDeleted))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom("projects")
          .select(["id", "name", "slug"])
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", input.id)
          .forUpdate()
          .executeTakeFirst();
        if (!row) notFound(input.id);
        // The lock above keeps new workspaces out. What goes leaves a tombstone, as with workspace.delete.
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
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "project.delete",
          target: { type: "project", id: row.id },
          metadata: { name: row.name, slug: row.slug, workspaces: workspaces.length },
        });
        await recordTasksChanged(trx, unlinked);
        const onDevice = workspaces.some(({ device_id }) => device_id !== null);
        return { success: true as const, ...(onDevice && { worktreeKept: true as const }) };
      }),
    ),

  ...secretProcedures,
});

function notFound(id: string): never {
  throw new GroveError("NOT_FOUND", `There is no project ${id}.`);
}

/**
 * Checks the URL of a project's repository: only the device that has a directory can name it first, and others after
 * that.
 * @throws {GroveError} BAD_REQUEST
 */
export async function requireReachable(
  db: Kysely<Database>,
  principal: Principal,
  organizationId: string,
  repoUrl: string | undefined,
): Promise<void> {
  if (!repoUrl || !/^file:/i.test(repoUrl) || principal.kind === "device") return;
  const known = await db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("repo_url", "=", repoUrl)
    .limit(1)
    .executeTakeFirst();
  if (known) return;
  throw new GroveError(
    "BAD_REQUEST",
    "repoUrl: a directory can be cloned nowhere else. Run `grove-device project add <path>` on the device that has it.",
  );
}

/** For the audit events. */
export const created = (organizationId: string, row: { id: string; slug: string; repo_url: string }) => ({
  organizationId,
  action: "project.create",
  target: { type: "project", id: row.id },
  metadata: { slug: row.slug, repoUrl: row.repo_url },
});

/** The insert that project.create and workspace.ensure share. */
export const insertProject = (
  db: Kysely<Database>,
  organizationId: string,
  fields: Omit<z.infer<typeof projectCreateInput>, "organizationId">,
) =>
  db.insertInto("projects").values({
    id: newId(),
    organization_id: organizationId,
    name: fields.name,
    slug: fields.slug,
    repo_owner: fields.repoOwner,
    repo_name: fields.repoName,
    repo_url: fields.repoUrl,
    default_branch: fields.defaultBranch,
  });

const toProject = (row: Selectable<ProjectTable>): Project => ({
  id: row.id,
  organizationId: row.organization_id,
  name: row.name,
  slug: row.slug,
  repoOwner: row.repo_owner,
  repoName: row.repo_name,
  repoUrl: row.repo_url,
  defaultBranch: row.default_branch,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
