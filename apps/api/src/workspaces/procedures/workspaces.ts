import { GroveError, isAtLeast, type Principal, recordAudit } from "@grove/auth";
import { newId } from "@grove/db";
import {
  workspace,
  workspaceCreateInput,
  workspaceDeleted,
  workspaceDeleteInput,
  workspaceEnsured,
  workspaceEnsureInput,
  workspaceGetInput,
  workspaceListInput,
  workspaceUpdateInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { insertProject, projectCreated, requireReachable } from "../../projects/insert";
import { projectNotFound } from "../../projects/row";
import { output } from "../../trpc/output";
import { memberOrDeviceProcedure, memberProcedure } from "../../trpc/procedures";
import { ensureWorkspace, lockWorkspace } from "../ensure";
import { toWorkspace, workspaceNotFound } from "../row";

export const workspaceProcedures = {
  /**
   * Creates the project and the workspace where they do not exist, in one transaction; existing ones are returned
   * unchanged. CONFLICT `workspace_id_taken` when the id belongs elsewhere or was deleted before, without saying where;
   * NOT_FOUND when the project of the device's command was deleted meanwhile; PRECONDITION_FAILED `quota_exceeded` when
   * a new one would exceed a limit.
   */
  ensure: memberOrDeviceProcedure(workspaceEnsureInput)
    .output(output(workspaceEnsured))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const { organizationId } = input;
        await lockWorkspace(trx, { organizationId, id: input.workspace.id });
        await requireReachable(trx, ctx.principal, organizationId, input.project.repoUrl);
        const project = await insertProject(trx, organizationId, input.project)
          // Updating the row locks it, so that it cannot vanish before the workspace that refers to it is inserted.
          .onConflict((conflict) =>
            conflict
              .columns(["organization_id", "slug"])
              .doUpdateSet({ slug: (eb) => eb.ref("excluded.slug") }),
          )
          .returning(["id", "slug", "repo_url", sql<boolean>`xmax = 0`.as("inserted")])
          .executeTakeFirstOrThrow();
        if (project.inserted) {
          await ctx.services.quotas.take(trx, "projects", organizationId);
          await recordAudit(trx, ctx.principal, projectCreated(organizationId, project));
        }
        if (await ensureWorkspace(trx, ctx.principal, project.id, input)) {
          await ctx.services.quotas.take(trx, "workspaces", organizationId);
          await ctx.services.quotas.take(
            trx,
            "workspaceBytes",
            organizationId,
            bytesOfJson(input.workspace.config),
          );
        }
        const { rows } = await sql<{ txid: string }>`select pg_current_xact_id()::text as txid`.execute(trx);
        return { projectId: project.id, workspaceId: input.workspace.id, txid: rows[0]?.txid ?? "" };
      }),
    ),

  /** Records a workspace of a project. NOT_FOUND when the organization has no such project. */
  create: memberProcedure(workspaceCreateInput)
    .output(output(workspace))
    .mutation(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      await ctx.services.quotas.take(db, "workspaces", input.organizationId);
      await ctx.services.quotas.take(db, "workspaceBytes", input.organizationId, bytesOfJson(input.config));
      const row = await db
        .insertInto("workspaces")
        .columns(["id", "organization_id", "project_id", "name", "type", "config", "created_by"])
        .expression((eb) =>
          eb
            .selectFrom("projects")
            .where("organization_id", "=", input.organizationId)
            .where("id", "=", input.projectId)
            .select([
              sql<string>`${newId()}::uuid`.as("id"),
              "organization_id",
              "projects.id as project_id",
              sql<string>`${input.name}::text`.as("name"),
              sql<string>`${input.type}::text`.as("type"),
              sql<string>`${JSON.stringify(input.config)}::jsonb`.as("config"),
              sql<string>`${ctx.principal.user.id}::uuid`.as("created_by"),
            ]),
        )
        .returningAll()
        .executeTakeFirst();
      if (!row) throw projectNotFound(input.projectId);
      return toWorkspace(row);
    }),

  /** Deletes the record, for its creator, an org-admin, or the device it is on. The worktree itself stays on disk. */
  delete: memberOrDeviceProcedure(workspaceDeleteInput)
    .output(output(workspaceDeleted))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        await lockWorkspace(trx, input);
        const row = await trx
          .selectFrom("workspaces")
          .select(["id", "name", "device_id", "created_by"])
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", input.id)
          .forUpdate()
          .executeTakeFirst();
        if (!row) throw workspaceNotFound(input.id);
        requireDeletable(ctx.principal, input.organizationId, row);
        await trx
          .insertInto("workspace_tombstones")
          .values({ id: row.id, organization_id: input.organizationId })
          .execute();
        await trx
          .deleteFrom("workspaces")
          .where("organization_id", "=", input.organizationId)
          .where("id", "=", row.id)
          .execute();
        await recordAudit(trx, ctx.principal, {
          organizationId: input.organizationId,
          action: "workspace.delete",
          target: { type: "workspace", id: row.id },
          metadata: { name: row.name },
        });
        return { success: true as const, ...(row.device_id !== null && { worktreeKept: true as const }) };
      }),
    ),

  /** Workspaces, newest first. A page ends early at 4 MiB: only a page shorter than both `limit` and 16 is the last. */
  list: memberOrDeviceProcedure(workspaceListInput)
    .output(output(z.array(workspace)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      let query = db.selectFrom("workspaces").selectAll().where("organization_id", "=", input.organizationId);
      if (input.projectId) query = query.where("project_id", "=", input.projectId);
      if (input.deviceId) query = query.where("device_id", "=", input.deviceId);
      if (input.type) query = query.where("type", "=", input.type);
      return (await newestFirst(db, "workspaces", query, input)).map(toWorkspace);
    }),

  /** One workspace of the organization; NOT_FOUND if there is none. */
  get: memberProcedure(workspaceGetInput)
    .output(output(workspace))
    .query(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .selectFrom("workspaces")
        .selectAll()
        .where("organization_id", "=", input.organizationId)
        .where("id", "=", input.id)
        .executeTakeFirst();
      if (!row) throw workspaceNotFound(input.id);
      return toWorkspace(row);
    }),

  /** Renames a workspace or replaces its config; omitted fields stay. A device may change only the workspaces on it. */
  update: memberOrDeviceProcedure(workspaceUpdateInput)
    .output(output(workspace))
    .mutation(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      if (input.config)
        await ctx.services.quotas.take(db, "workspaceBytes", input.organizationId, bytesOfJson(input.config));
      let query = db
        .updateTable("workspaces")
        .set({
          name: input.name,
          config: input.config && JSON.stringify(input.config),
          updated_at: sql<string>`now()`,
        })
        .where("organization_id", "=", input.organizationId)
        .where("id", "=", input.id)
        .returningAll();
      if (ctx.principal.kind === "device") query = query.where("device_id", "=", ctx.principal.deviceId);
      const row = await query.executeTakeFirst();
      if (!row) throw workspaceNotFound(input.id);
      return toWorkspace(row);
    }),
} satisfies TRPCRouterRecord;

const bytesOfJson = (value: object): number => Buffer.byteLength(JSON.stringify(value));

function requireDeletable(
  principal: Principal,
  organizationId: string,
  row: { device_id: string | null; created_by: string | null },
): void {
  const allowed =
    principal.kind === "device"
      ? row.device_id === principal.deviceId
      : row.created_by === principal.user.id || isAtLeast(principal.memberships.get(organizationId), "admin");
  if (!allowed)
    throw new GroveError(
      "FORBIDDEN",
      "Only its creator, an organization admin, or the device it is on may delete a workspace.",
      { reason: "role_required" },
    );
}
