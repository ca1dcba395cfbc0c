import { GroveError, requireDeviceUse } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import type { Requester } from "../lib/idempotency";
import { notFound } from "../lib/notFound";

export interface WorkspaceKey {
  organizationId: string;
  workspaceId: string;
}

/**
 * Returns the device of a workspace. Requires that the caller may use it.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`; PRECONDITION_FAILED `workspace_not_on_device`
 */
export async function requireWorkspaceDevice(
  db: Kysely<Database>,
  principal: Requester,
  { organizationId, workspaceId }: WorkspaceKey,
): Promise<string> {
  const row = await db
    .selectFrom("workspaces")
    .leftJoin("devices", (join) =>
      join
        .onRef("devices.id", "=", "workspaces.device_id")
        .onRef("devices.organization_id", "=", "workspaces.organization_id"),
    )
    .select(["device_id", "owner_id", "shared"])
    .where("workspaces.organization_id", "=", organizationId)
    .where("workspaces.id", "=", workspaceId)
    .executeTakeFirst();
  if (!row) throw notFound("workspace", workspaceId);
  if (row.device_id === null || row.owner_id === null || row.shared === null)
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The workspace ${workspaceId} is not on a device, so it has no files. Choose a workspace on a device.`,
      { reason: "workspace_not_on_device" },
    );
  requireDeviceUse(principal, { ownerId: row.owner_id, shared: row.shared });
  return row.device_id;
}
