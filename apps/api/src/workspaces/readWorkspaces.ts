import type { Workspace, WorkspaceGetInput, WorkspaceListInput } from "@grove/schemas";
import { notFound } from "../lib/notFound";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { toWorkspace } from "./row";

/** Reads a page of an organization's workspaces, newest first. */
export async function listWorkspaces(
  { database }: Pick<Services, "database">,
  input: WorkspaceListInput,
): Promise<Workspace[]> {
  const { db } = database;
  const { organizationId, projectId, deviceId, type } = input;
  let query = db.selectFrom("workspaces").selectAll().where("organization_id", "=", organizationId);
  if (projectId) query = query.where("project_id", "=", projectId);
  if (deviceId) query = query.where("device_id", "=", deviceId);
  if (type) query = query.where("type", "=", type);
  return (await newestFirst(db, "workspaces", query, input)).map(toWorkspace);
}

/**
 * Reads a workspace.
 * @throws {GroveError} NOT_FOUND
 */
export async function readWorkspace(
  { database }: Pick<Services, "database">,
  { organizationId, id }: WorkspaceGetInput,
): Promise<Workspace> {
  const row = await database.db
    .selectFrom("workspaces")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("workspace", id);
  return toWorkspace(row);
}
