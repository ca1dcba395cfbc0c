import { GroveError } from "@grove/auth";
import type { WorkspaceTable } from "@grove/db";
import type { Workspace } from "@grove/schemas";
import type { Selectable } from "kysely";

/** A workspace's row as the API returns it. */
export const toWorkspace = (row: Selectable<WorkspaceTable>): Workspace => ({
  id: row.id,
  organizationId: row.organization_id,
  projectId: row.project_id,
  deviceId: row.device_id,
  name: row.name,
  type: row.type,
  config: row.config,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** For a device that reads one of its own workspaces. */
export const workspaceNotFoundOnDevice = (id: string) =>
  new GroveError("NOT_FOUND", `There is no workspace ${id} on this device.`, {
    details: { missing: "workspace" },
  });
