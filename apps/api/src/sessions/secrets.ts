import { type DevicePrincipal, GroveError } from "@grove/auth";
import { recordAudit } from "../audit";
import { secretIdentity } from "../secrets";
import type { Services } from "../services";

/**
 * The environment of a session that a device is to start: the secrets of its workspace's project, by name. That they
 * were read is recorded.
 * @throws NOT_FOUND for a command that is no start_agent_session of this device, or a workspace that is not on it;
 * PRECONDITION_FAILED `command_not_live` once the command has ended
 */
export function sessionSecrets(
  { database, vault }: Services,
  device: DevicePrincipal,
  commandId: string,
): Promise<Record<string, string>> {
  const { organizationId, deviceId } = device;
  return database.db.transaction().execute(async (trx) => {
    const command = await trx
      .selectFrom("device_commands")
      .select(["status", "params"])
      .where("organization_id", "=", organizationId)
      .where("device_id", "=", deviceId)
      .where("id", "=", commandId)
      .where("tool", "=", "start_agent_session")
      .executeTakeFirst();
    if (!command) throw new GroveError("NOT_FOUND", `This device has no start_agent_session ${commandId}.`);
    if (command.status !== "claimed" && command.status !== "running")
      throw new GroveError(
        "PRECONDITION_FAILED",
        `The command ${commandId} is ${command.status}: secrets are for one that this device is working on.`,
        { reason: "command_not_live" },
      );
    const workspaceId = String(command.params.workspaceId);
    const workspace = await trx
      .selectFrom("workspaces")
      .select("project_id")
      .where("organization_id", "=", organizationId)
      .where("device_id", "=", deviceId)
      .where("id", "=", workspaceId)
      .executeTakeFirst();
    if (!workspace) throw new GroveError("NOT_FOUND", `There is no workspace ${workspaceId} on this device.`);
    const secrets = await trx
      .selectFrom("project_secrets")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("project_id", "=", workspace.project_id)
      .execute();
    if (secrets.length > 0)
      await recordAudit(trx, device, {
        organizationId,
        action: "agent.sessionSecrets",
        target: { type: "project", id: workspace.project_id },
        metadata: { commandId, keys: secrets.map(({ key }) => key) },
      });
    return Object.fromEntries(secrets.map((row) => [row.key, vault.open(row.sealed, secretIdentity(row))]));
  });
}
