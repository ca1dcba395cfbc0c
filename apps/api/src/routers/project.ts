import { GroveError } from "@grove/auth";
import { type Database, isUniqueViolation, newId, type ProjectTable } from "@grove/db";
import { type Project, project, projectCreateInput, projectGetInput, projectListInput } from "@grove/schemas";
import type { Kysely, Selectable } from "kysely";
import { z } from "zod";
import { afterCursor } from "../keyset";
import { output } from "../outputs";
import { memberOrDeviceProcedure, router } from "../trpc";

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
      let query = db
        .selectFrom("projects")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(input.limit);
      if (input.after !== undefined)
        query = query.where(await afterCursor(db, "projects", input.organizationId, input.after));
      return (await query.execute()).map(toProject);
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
      if (!row) throw new GroveError("NOT_FOUND", `There is no project ${input.id}.`);
      return toProject(row);
    }),
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
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
