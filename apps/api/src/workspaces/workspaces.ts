import { GroveError, isAtLeast, type Principal, recordAudit, type UserPrincipal } from "@grove/auth";
import { newId } from "@grove/db";
import type {
  Workspace,
  WorkspaceCreateInput,
  WorkspaceDeleteInput,
  WorkspaceEnsureInput,
  WorkspaceUpdateInput,
} from "@grove/schemas";
import { sql } from "kysely";
import { abandonChange } from "../changes/complete";
import { followBranch, recordChange } from "../changes/record";
import { notFound } from "../lib/notFound";
import { insertProject, projectCreated, requireReachable } from "../projects/insert";
import type { Services } from "../services";
import { ensureWorkspace, lockWorkspace } from "./ensure";
import { toWorkspace } from "./row";

/**
 * Creates the project and the workspace where they do not exist.
 * @throws {GroveError} CONFLICT `workspace_id_taken`; NOT_FOUND; PRECONDITION_FAILED `quota_exceeded`
 */
export function ensureWithProject(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: Principal,
  input: WorkspaceEnsureInput,
) {
  return database.db.transaction().execute(async (trx) => {
    const { organizationId } = input;
    await lockWorkspace(trx, { organizationId, id: input.workspace.id });
    await requireReachable(trx, principal, organizationId, input.project.repoUrl);
    const project = await insertProject(trx, organizationId, input.project)
      // Updating the row locks it, so that it cannot vanish before the workspace that refers to it is inserted.
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "slug"]).doUpdateSet({ slug: (eb) => eb.ref("excluded.slug") }),
      )
      .returning(["id", "slug", "repo_url", sql<boolean>`xmax = 0`.as("inserted")])
      .executeTakeFirstOrThrow();
    if (project.inserted) {
      await quotas.take(trx, "projects", organizationId);
      await recordAudit(trx, principal, projectCreated(organizationId, project));
    }
    if (await ensureWorkspace(trx, principal, project.id, input)) {
      await quotas.take(trx, "workspaces", organizationId);
      await quotas.take(trx, "workspaceBytes", organizationId, bytesOfJson(input.workspace.config));
      await recordChange(trx, quotas, { organizationId, workspaceId: input.workspace.id });
    }
    const { rows } = await sql<{ txid: string }>`select pg_current_xact_id()::text as txid`.execute(trx);
    return { projectId: project.id, workspaceId: input.workspace.id, txid: rows[0]?.txid ?? "" };
  });
}

/**
 * Records a workspace of a project.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `quota_exceeded`
 */
export function createWorkspace(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: UserPrincipal,
  input: WorkspaceCreateInput,
): Promise<Workspace> {
  const { organizationId } = input;
  return database.db.transaction().execute(async (trx) => {
    await quotas.take(trx, "workspaces", organizationId);
    await quotas.take(trx, "workspaceBytes", organizationId, bytesOfJson(input.config));
    const row = await trx
      .insertInto("workspaces")
      .columns(["id", "organization_id", "project_id", "name", "type", "config", "created_by"])
      .expression((eb) =>
        eb
          .selectFrom("projects")
          .where("organization_id", "=", organizationId)
          .where("id", "=", input.projectId)
          .select([
            sql<string>`${newId()}::uuid`.as("id"),
            "organization_id",
            "projects.id as project_id",
            sql<string>`${input.name}::text`.as("name"),
            sql<string>`${input.type}::text`.as("type"),
            sql<string>`${JSON.stringify(input.config)}::jsonb`.as("config"),
            sql<string>`${principal.user.id}::uuid`.as("created_by"),
          ]),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound("project", input.projectId);
    await recordChange(trx, quotas, { organizationId, workspaceId: row.id });
    return toWorkspace(row);
  });
}

/**
 * Deletes the record.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required`
 */
export function deleteWorkspace(
  { database }: Pick<Services, "database">,
  principal: Principal,
  input: WorkspaceDeleteInput,
) {
  return database.db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, input);
    const row = await trx
      .selectFrom("workspaces")
      .select(["id", "name", "device_id", "created_by"])
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", input.id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound("workspace", input.id);
    requireDeletable(principal, input.organizationId, row);
    await trx
      .insertInto("workspace_tombstones")
      .values({ id: row.id, organization_id: input.organizationId })
      .execute();
    const tasks = await abandonChange(trx, { organizationId: input.organizationId, workspaceId: row.id });
    await trx
      .deleteFrom("workspaces")
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", row.id)
      .execute();
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "workspace.delete",
      target: { type: "workspace", id: row.id },
      metadata: { name: row.name },
    });
    await tasks.record();
    return { success: true as const, ...(row.device_id !== null && { worktreeKept: true as const }) };
  });
}

/**
 * Changes the given fields.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `quota_exceeded`
 */
export function updateWorkspace(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: Principal,
  input: WorkspaceUpdateInput,
): Promise<Workspace> {
  const { organizationId, id, name, config } = input;
  return database.db.transaction().execute(async (trx) => {
    if (config) await quotas.take(trx, "workspaceBytes", organizationId, bytesOfJson(config));
    let query = trx
      .updateTable("workspaces")
      .set({ name, config: config && JSON.stringify(config), updated_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returningAll();
    if (principal.kind === "device") query = query.where("device_id", "=", principal.deviceId);
    const row = await query.executeTakeFirst();
    if (!row) throw notFound("workspace", id);
    if (config) await followBranch(trx, { organizationId, workspaceId: id }, config);
    return toWorkspace(row);
  });
}

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
