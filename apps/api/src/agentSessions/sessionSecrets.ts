import { type DevicePrincipal, GroveError, isAtLeast, recordAudit } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Transaction } from "kysely";
import { requesterHasAccess } from "../dispatch/stream/openRows";
import { secretIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { workspaceNotFoundOnDevice } from "../workspaces/row";
import { startNotFound } from "./row";

/**
 * The environment of a session that a device is to start: the secrets of its workspace's project, by name. Reading them
 * is audited. A device that no org-admin has allowed secrets gets them only for a caller who is signed in or an
 * org-admin. A member's API key must not suffice, since it can register a device.
 * @throws {GroveError} NOT_FOUND for a command that is not a start_agent_session of this device, or a workspace that is
 * not on it; PRECONDITION_FAILED `command_not_live` once the command has ended, `requester_revoked` when its requester
 * has lost access, `secret_unreadable`; FORBIDDEN `secrets_not_allowed` where the project has secrets
 */
export function sessionSecrets(
  { database, vault }: Pick<Services, "database" | "vault">,
  device: DevicePrincipal,
  commandId: string,
): Promise<Record<string, string>> {
  const { organizationId, deviceId } = device;
  return database.db.transaction().execute(async (trx) => {
    const command = await trx
      .selectFrom("device_commands")
      .select(["status", "params", "requested_by", "principal", requesterHasAccess.as("has_access")])
      .where("organization_id", "=", organizationId)
      .where("device_id", "=", deviceId)
      .where("id", "=", commandId)
      .where("tool", "=", "start_agent_session")
      .executeTakeFirst();
    if (!command) throw startNotFound(commandId);
    if (command.status !== "claimed" && command.status !== "running")
      throw new GroveError(
        "PRECONDITION_FAILED",
        `The command ${commandId} is ${command.status}: secrets are only for a command that this device is working on.`,
        { reason: "command_not_live" },
      );
    if (!command.has_access)
      throw new GroveError(
        "PRECONDITION_FAILED",
        "The person who requested this session has lost access, or their API key is no longer valid. Request the session again.",
        { reason: "requester_revoked" },
      );
    const workspaceId = String(command.params.workspaceId);
    const workspace = await trx
      .selectFrom("workspaces")
      .select("project_id")
      .where("organization_id", "=", organizationId)
      .where("device_id", "=", deviceId)
      .where("id", "=", workspaceId)
      .executeTakeFirst();
    if (!workspace) throw workspaceNotFoundOnDevice(workspaceId);
    const secrets = await trx
      .selectFrom("project_secrets")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("project_id", "=", workspace.project_id)
      .execute();
    if (secrets.length === 0) return {};
    await requireAllowed(trx, device, command);
    await recordAudit(trx, device, {
      organizationId,
      action: "agent.sessionSecrets",
      target: { type: "project", id: workspace.project_id },
      metadata: {
        commandId,
        requestedBy: command.requested_by,
        keys: secrets.map(({ key }) => key),
      },
    });
    return Object.fromEntries(secrets.map((row) => [row.key, vault.open(row.sealed, secretIdentity(row))]));
  });
}

/**
 * Secrets are for callers who are signed in, and for org-admins. On a device that an org-admin has allowed secrets,
 * they are for every caller.
 * @throws {GroveError} FORBIDDEN `secrets_not_allowed`
 */
async function requireAllowed(
  trx: Transaction<Database>,
  { organizationId, deviceId }: DevicePrincipal,
  { requested_by: userId, principal }: { requested_by: string | null; principal: string },
): Promise<void> {
  if (!principal.startsWith("api_key:")) return;
  const { role, secrets_allowed: allowed } = await trx
    .selectFrom("devices")
    .innerJoin("memberships", "memberships.organization_id", "devices.organization_id")
    .select(["role", "secrets_allowed"])
    .where("devices.organization_id", "=", organizationId)
    .where("devices.id", "=", deviceId)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  if (allowed || isAtLeast(role, "admin")) return;
  throw new GroveError(
    "FORBIDDEN",
    "The project has secrets, and a member's API key alone does not give this device access to them. Ask an org-admin to allow all project secrets on the device, or start the session signed in.",
    { reason: "secrets_not_allowed" },
  );
}
