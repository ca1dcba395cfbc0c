import { GroveError, requireMembership } from "@grove/auth";
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
import { recordAudit } from "../../audit";
import { newestFirst } from "../../keyset";
import { output } from "../../outputs";
import { memberOrDeviceProcedure, memberProcedure, router } from "../../trpc";
import { recordTasksChanged, unlinkTasks } from "../task/unlink";
import { secretProcedures } from "./secrets";

export const projectRouter = router({
  /** Creates a project. CONFLICT `slug_taken` for a slug that the organization uses already. */
  create: memberOrDeviceProcedure(projectCreateInput)
    .output(output(project))
    .mutation(async ({ ctx, input }) => {
      try {
        const row = await insertProject(ctx.services.database.db, input.organizationId, input)
          .returningAll()
          .executeTakeFirstOrThrow();
        return toProject(row);
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
      if (input.repoUrl !== undefined) requireMembership(ctx.principal, input.organizationId, "admin");
      const row = await ctx.services.database.db
        .updateTable("projects")
        .set({
          name: input.name,
          default_branch: input.defaultBranch,
          repo_url: input.repoUrl,
          updated_at: sql<string>`now()`,
        })
        .where("organization_id", "=", input.organizationId)
        .where("id", "=", input.id)
        .returningAll()
        .executeTakeFirst();
      return toProject(row ?? notFound(input.id));
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
