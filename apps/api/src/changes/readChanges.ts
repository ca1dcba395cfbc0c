import type { UserPrincipal } from "@grove/auth";
import type { Change, ChangeGetInput, ChangeListInput } from "@grove/schemas";
import { sql } from "kysely";
import { notFound } from "../lib/notFound";
import { newestFirst } from "../lib/pagination";
import { waitsForPeople } from "../lib/workState";
import type { Services } from "../services";
import { selectChanges, toChange } from "./row";

/** Reads a page of an organization's changes, newest first. */
export async function listChanges(
  { database }: Pick<Services, "database">,
  { user }: UserPrincipal,
  input: ChangeListInput,
): Promise<Change[]> {
  const { db } = database;
  const { organizationId, taskId, workspaceId, projectId, state, waits, mine } = input;
  let query = selectChanges(db, organizationId);
  if (taskId) query = query.where("changes.task_id", "=", taskId);
  if (workspaceId) query = query.where("changes.workspace_id", "=", workspaceId);
  if (projectId) query = query.where("changes.project_id", "=", projectId);
  if (state) query = query.where("pull_requests.state", "=", state);
  if (waits) query = query.where(waitsForPeople(organizationId));
  if (mine) query = query.where(isOwnedBy(organizationId, user.id));
  return (await newestFirst(db, "changes", query, input)).map(toChange);
}

/** Whether a change is on a device of this user, or of a task that is assigned to the user. */
const isOwnedBy = (organizationId: string, userId: string) => sql<boolean>`(
  changes.device_id in (
    select id from devices where organization_id = ${organizationId} and owner_id = ${userId})
  or changes.task_id in (
    select id from tasks where organization_id = ${organizationId} and assignee_id = ${userId}))`;

/**
 * Reads a change.
 * @throws {GroveError} NOT_FOUND
 */
export async function readChange(
  { database }: Pick<Services, "database">,
  { organizationId, id }: ChangeGetInput,
): Promise<Change> {
  const row = await selectChanges(database.db, organizationId)
    .where("changes.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("change", id);
  return toChange(row);
}
