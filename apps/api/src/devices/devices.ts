import {
  createSecret,
  GroveError,
  isAtLeast,
  recordAudit,
  type SessionPrincipal,
  settleRevoked,
  type UserPrincipal,
} from "@grove/auth";
import { cancelCommands, type Database, notify, type SettledCommand } from "@grove/db";
import type {
  Device,
  DeviceRevokeInput,
  DeviceRotateKeyInput,
  DeviceSetSecretsAllowedInput,
  DeviceUpdateInput,
  Success,
} from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { notFound } from "../lib/notFound";
import type { Services } from "../services";
import { deviceColumns, toDevice } from "./row";

/**
 * Changes a device, and cancels the queued commands of others if it is no longer shared.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`
 */
export async function updateDevice(
  { database, metrics }: Pick<Services, "database" | "metrics">,
  principal: UserPrincipal,
  input: DeviceUpdateInput,
): Promise<Device> {
  const { device, canceled } = await database.db.transaction().execute(async (trx) => {
    await lockOwn(trx, principal, input);
    const row = await trx
      .updateTable("devices")
      .set({
        name: input.name,
        shared: input.shared,
        ssh_host: input.sshHost,
        updated_at: sql<string>`now()`,
      })
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", input.id)
      .returning(deviceColumns)
      .executeTakeFirstOrThrow();
    const canceled = input.shared === false ? await cancelOthersQueued(trx, row) : [];
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "device.update",
      target: { type: "device", id: row.id },
      metadata: { name: row.name, shared: row.shared, sshHost: row.ssh_host },
    });
    return { device: toDevice(row), canceled };
  });
  metrics?.settled(canceled);
  return device;
}

/**
 * Revokes a device, and settles its open commands. Idempotent.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`
 */
export async function revokeDevice(
  { database, metrics }: Pick<Services, "database" | "metrics">,
  principal: UserPrincipal,
  input: DeviceRevokeInput,
): Promise<Success> {
  const settled = await database.db.transaction().execute(async (trx) => {
    const device = await lockOwn(trx, principal, input, "or org-admin");
    if (device.revoked_at) return [];
    await trx
      .updateTable("devices")
      .set({ revoked_at: sql<string>`now()`, present_until: null, offline_reason: "revoked" })
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", device.id)
      .execute();
    const revokedCommands = await settleRevoked(trx, [device.id]);
    await notify(trx, "credential_revoked", device.id);
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "device.revoke",
      target: { type: "device", id: device.id },
      metadata: { name: device.name },
    });
    return revokedCommands;
  });
  metrics?.settled(settled);
  return { success: true as const };
}

/**
 * Sets whether every session on a device gets project secrets.
 * @throws {GroveError} NOT_FOUND
 */
export function setSecretsAllowed(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  input: DeviceSetSecretsAllowedInput,
): Promise<Device> {
  return database.db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable("devices")
      .set({ secrets_allowed: input.allowed, updated_at: sql<string>`now()` })
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", input.id)
      .where("revoked_at", "is", null)
      .returning(deviceColumns)
      .executeTakeFirst();
    if (!row) throw notFound("device", input.id);
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "device.setSecretsAllowed",
      target: { type: "device", id: row.id },
      metadata: { name: row.name, allowed: input.allowed },
    });
    return toDevice(row);
  });
}

/**
 * Replaces a device's key, and ends its stream.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`; PRECONDITION_FAILED `device_revoked`
 */
export function rotateDeviceKey(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  input: DeviceRotateKeyInput,
) {
  return database.db.transaction().execute(async (trx) => {
    const device = await lockOwn(trx, principal, input);
    if (device.revoked_at)
      throw new GroveError(
        "PRECONDITION_FAILED",
        `The device "${device.name}" is revoked. Register the machine again.`,
        { reason: "device_revoked" },
      );
    const { secret, hash, prefix } = createSecret("device");
    await trx
      .updateTable("devices")
      .set({ key_hash: hash, key_prefix: prefix, updated_at: sql<string>`now()` })
      .where("organization_id", "=", input.organizationId)
      .where("id", "=", device.id)
      .execute();
    await notify(trx, "credential_revoked", device.id);
    await recordAudit(trx, principal, {
      organizationId: input.organizationId,
      action: "device.rotateKey",
      target: { type: "device", id: device.id },
      metadata: { name: device.name },
    });
    return { apiKey: secret };
  });
}

/** Cancels the queued commands of members who may no longer use the device. */
function cancelOthersQueued(
  trx: Transaction<Database>,
  device: { organization_id: string; id: string; owner_id: string },
): Promise<SettledCommand[]> {
  const error = {
    reason: "device_not_shared",
    message: "The device's owner stopped sharing it before it took the command. Use one of your own.",
  };
  const queuedCommands = sql`organization_id = ${device.organization_id} and device_id = ${device.id} and status = 'queued'
    and requested_by is distinct from ${device.owner_id}`;
  return cancelCommands(trx, queuedCommands, error);
}

/**
 * Locks a device's row for its owner or, where `orAdmin` is given, an org-admin.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required` for another member's
 */
async function lockOwn(
  trx: Transaction<Database>,
  principal: UserPrincipal,
  { organizationId, id }: { organizationId: string; id: string },
  orAdmin?: "or org-admin",
) {
  const row = await trx
    .selectFrom("devices")
    .select(["id", "name", "owner_id", "revoked_at"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("device", id);
  const admin = orAdmin !== undefined && isAtLeast(principal.memberships.get(organizationId), "admin");
  if (row.owner_id === principal.user.id || admin) return row;
  throw new GroveError(
    "FORBIDDEN",
    orAdmin
      ? `Only the owner or an organization admin can change the device "${row.name}". Ask one of them.`
      : `Only the owner can change the device "${row.name}". Ask the owner.`,
    { reason: "device_owner_required" },
  );
}
