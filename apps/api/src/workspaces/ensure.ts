import { GroveError, type Principal } from "@grove/auth";
import type { Database } from "@grove/db";
import { deviceTools, type WorkspaceEnsureInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { notFound } from "../lib/notFound";

/**
 * Serializes callers that ensure or delete a workspace. A device may delete what it registered while PostgreSQL is
 * still registering it: the deletion must see the row.
 */
export const lockWorkspace = (
  trx: Transaction<Database>,
  { organizationId, id }: { organizationId: string; id: string },
) => sql`select pg_advisory_xact_lock(hashtextextended(${`${organizationId} ${id}`}, 0))`.execute(trx);

/**
 * Inserts the workspace unless it exists.
 * @returns whether it was inserted
 * @throws {GroveError} CONFLICT `workspace_id_taken` when the id belongs elsewhere or was deleted before, without
 * saying where; NOT_FOUND when the device has no such command, or when the project of the command was deleted
 */
export async function ensureWorkspace(
  trx: Transaction<Database>,
  principal: Principal,
  projectId: string,
  { organizationId, workspace: wanted, commandId }: WorkspaceEnsureInput,
): Promise<boolean> {
  const deviceId = principal.kind === "device" ? principal.deviceId : null;
  const inserted = await trx
    .insertInto("workspaces")
    .values({
      id: wanted.id,
      organization_id: organizationId,
      project_id: projectId,
      device_id: deviceId,
      name: wanted.name,
      type: wanted.type,
      config: JSON.stringify(wanted.config),
      created_by:
        principal.kind === "device"
          ? await requesterOf(trx, organizationId, principal.deviceId, projectId, commandId)
          : principal.user.id,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  // Read after the insert, so that a deletion that committed while the insert waited for it is seen.
  const deleted = await trx
    .selectFrom("workspace_tombstones")
    .select("id")
    .where("id", "=", wanted.id)
    .executeTakeFirst();
  if (!deleted && inserted) return true;
  const existing = await trx
    .selectFrom("workspaces")
    .select("device_id")
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", projectId)
    .where("id", "=", wanted.id)
    .executeTakeFirst();
  if (!deleted && existing && (deviceId === null || existing.device_id === deviceId)) return false;
  throw new GroveError("CONFLICT", "This workspace id is taken. Choose a new id.", {
    reason: "workspace_id_taken",
  });
}

/**
 * The user who requested the command that a device made a workspace for. The command must name the same project. If
 * that project was deleted in the meantime, this is a new project with its slug, and is undone with the transaction.
 */
async function requesterOf(
  trx: Transaction<Database>,
  organizationId: string,
  deviceId: string,
  projectId: string,
  commandId: string | undefined,
): Promise<string | null> {
  if (commandId === undefined) return null;
  const command = await trx
    .selectFrom("device_commands")
    .select(["requested_by", "params"])
    .where("organization_id", "=", organizationId)
    .where("device_id", "=", deviceId)
    .where("id", "=", commandId)
    .executeTakeFirst();
  if (!command) throw commandNotFoundOnDevice(commandId);
  const { data } = deviceTools.create_workspace.params.safeParse(command.params);
  if (data && data.projectId !== projectId) throw notFound("project", data.projectId);
  return command.requested_by;
}

const commandNotFoundOnDevice = (id: string) =>
  new GroveError("NOT_FOUND", `This device has no command ${id}.`);
