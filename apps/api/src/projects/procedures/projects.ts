import { GroveError, recordAudit, requireMembership } from "@grove/auth";
import { isUniqueViolation } from "@grove/db";
import {
  id as idSchema,
  project,
  projectCreateInput,
  projectDeleted,
  projectDeleteInput,
  projectGetInput,
  projectListInput,
  projectUpdateInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { recordTasksChanged, unlinkTasks } from "../../tasks/unlink";
import { output } from "../../trpc/output";
import { memberOrDeviceProcedure, memberProcedure } from "../../trpc/procedures";
import { insertProject, projectCreated, requireReachable } from "../insert";
import { projectNotFound, toProject } from "../row";

export const projectProcedures = {
  /**
   * Creates a project. CONFLICT `slug_taken` for a slug that the organization already uses; BAD_REQUEST for a
   * repository in a directory (`file:`), which only the device that has it can name; PRECONDITION_FAILED
   * `quota_exceeded`.
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
          await recordAudit(trx, ctx.principal, projectCreated(organizationId, row));
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

  /** Projects, newest first. */
  list: memberOrDeviceProcedure(projectListInput)
    .output(output(z.array(project)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const query = db.selectFrom("projects").selectAll().where("organization_id", "=", input.organizationId);
      return (await newestFirst(db, "projects", query, input)).map(toProject);
    }),

  /** A project by its UUID or slug; NOT_FOUND if the organization has none. */
  get: memberOrDeviceProcedure(projectGetInput)
    .output(output(project))
    .query(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .selectFrom("projects")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .where(idSchema.safeParse(input.id).success ? "id" : "slug", "=", input.id)
        .executeTakeFirst();
      if (!row) throw projectNotFound(input.id);
      return toProject(row);
    }),

  /** Changes the given fields. Only org-admins may change the repository's URL, since devices clone from it. */
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
        if (!row) throw projectNotFound(id);
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "project.update",
          target: { type: "project", id },
          metadata: { name, defaultBranch, repoUrl },
        });
        return toProject(row);
      });
    }),

  /** Deletes the project with its workspaces and secrets. Worktrees on devices stay on disk: `worktreeKept`. */
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
        if (!row) throw projectNotFound(input.id);
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
} satisfies TRPCRouterRecord;
