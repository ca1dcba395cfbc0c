import { GroveError, requireDeviceUse, requireMembership, type UserPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import type { RepoRef } from "@grove/integrations";
import type { Kysely } from "kysely";
import { mayBeAt } from "../../integrations/repositories";
import type { ConnectionRow } from "../../integrations/row";
import { notFound } from "../../lib/notFound";
import type { ChangeKey } from "../row";

/** A change, with the repository and the connection for its pull request. */
export interface PullTarget extends ChangeKey {
  projectId: string;
  workspaceId: string | null;
  branch: string;
  /** The default base: the branch to merge into, unless a caller names another one. */
  base: string;
  repo: RepoRef;
  connection: ConnectionRow;
}

/**
 * Finds the code host of a change.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `no_connection`
 */
export async function findPullTarget(
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<PullTarget> {
  const row = await selectChange(db, { organizationId, changeId })
    .innerJoin("projects", (join) =>
      join
        .onRef("projects.organization_id", "=", "changes.organization_id")
        .onRef("projects.id", "=", "changes.project_id"),
    )
    .select(["changes.branch", "changes.base_branch", "changes.project_id", "changes.workspace_id"])
    .select(["projects.repo_owner", "projects.repo_name", "projects.repo_url", "projects.default_branch"])
    .executeTakeFirst();
  if (!row) throw notFound("change", changeId);
  const connections = await db
    .selectFrom("integration_connections")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("kind", "=", "codehost")
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  // A directory on one machine is not at a code host.
  const isDirectory = /^file:/i.test(row.repo_url);
  const usable = isDirectory ? [] : connections.filter((one) => mayBeAt(row.repo_url, pageOf(one)));
  const connection = usable.find(({ status }) => status === "connected") ?? usable[0];
  if (!connection)
    throw new GroveError(
      "PRECONDITION_FAILED",
      "The organization is not connected to the code host of this project. An admin can connect it under Integrations.",
      { reason: "no_connection" },
    );
  return {
    organizationId,
    changeId,
    projectId: row.project_id,
    workspaceId: row.workspace_id,
    branch: row.branch,
    base: row.base_branch ?? row.default_branch,
    connection,
    repo: { owner: row.repo_owner, name: row.repo_name },
  };
}

const selectChange = (db: Kysely<Database>, { organizationId, changeId }: ChangeKey) =>
  db
    .selectFrom("changes")
    .where("changes.organization_id", "=", organizationId)
    .where("changes.id", "=", changeId);

/** Returns the address of a code host's pages. GitHub's API may be on another host. */
const pageOf = ({ provider, base_url }: ConnectionRow): string =>
  (base_url ?? `https://${provider}.com`).replace("://api.", "://");

/**
 * Requires that the caller may act on a change, which means to use the device of its workspace. Without a workspace,
 * the caller must be an admin.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required` or `role_required`
 */
export async function requireChangeUse(
  db: Kysely<Database>,
  principal: UserPrincipal,
  { organizationId, changeId }: ChangeKey,
): Promise<void> {
  const row = await selectChange(db, { organizationId, changeId })
    .leftJoin("workspaces", (join) =>
      join
        .onRef("workspaces.organization_id", "=", "changes.organization_id")
        .onRef("workspaces.id", "=", "changes.workspace_id"),
    )
    .leftJoin("devices", (join) =>
      join
        .onRef("devices.organization_id", "=", "workspaces.organization_id")
        .onRef("devices.id", "=", "workspaces.device_id"),
    )
    .select(["devices.owner_id", "devices.shared"])
    .executeTakeFirst();
  if (!row) throw notFound("change", changeId);
  if (row.owner_id === null || row.shared === null) requireMembership(principal, organizationId, "admin");
  else requireDeviceUse(principal, { ownerId: row.owner_id, shared: row.shared });
}
