import { cancelCommands, type Database, notification, type SettledCommand, settleCommands } from "@grove/db";
import { type RawBuilder, sql, type Transaction } from "kysely";
import { type Cause, recordAudit } from "../audit";

/** A user everywhere, a user in one organization, or all of an organization. */
export type CredentialHolder = { userId: string; organizationId?: string } | { organizationId: string };

/**
 * Revokes the API keys and devices of a user who leaves or is removed, disabled or deleted. Call it in that
 * transaction, before deleting memberships or rows.
 *
 * Each credential is announced by its id, so that streams that depend on it end. The devices' open commands are
 * settled, since a revoked device cannot report their end. The holder's commands that no device has taken are canceled,
 * and the holder's open invitations are revoked.
 * @param cause for the audit events; null when the organization is deleted with its audit events
 * @returns the commands that ended because of it
 */
export async function revokeCredentials(
  trx: Transaction<Database>,
  holder: CredentialHolder,
  cause: Cause | null,
): Promise<SettledCommand[]> {
  const keys = await trx
    .updateTable("api_keys")
    .set({ revoked_at: sql<string>`now()` })
    .where("revoked_at", "is", null)
    .where(heldBy(holder, "user_id"))
    .returning(["organization_id", "id", "name"])
    .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"))
    .execute();
  const settled = await revokeDevices(trx, heldBy(holder, "owner_id"), cause);
  const canceled = await cancelQueued(trx, heldBy(holder, "requested_by"));
  if ("userId" in holder) await revokeInvitations(trx, holder, cause);
  if (cause) await recordAudit(trx, cause.actor, ...revocations("api_key", "apiKey.revoke", keys, cause));
  return [...settled, ...canceled];
}

/**
 * Revokes the devices that match the condition, announces each, and settles their open commands.
 * @returns the commands that ended because of it
 */
export async function revokeDevices(
  trx: Transaction<Database>,
  which: RawBuilder<boolean>,
  cause: Cause | null,
): Promise<SettledCommand[]> {
  const devices = await trx
    .updateTable("devices")
    .set({ revoked_at: sql<string>`now()`, present_until: null, offline_reason: "revoked" })
    // Every statement that locks several devices takes them in the order of their ids.
    .where("id", "in", (eb) =>
      eb
        .selectFrom("devices")
        .select("id")
        .where("revoked_at", "is", null)
        .where(which)
        .orderBy("id")
        .forNoKeyUpdate(),
    )
    .returning(["organization_id", "id", "name"])
    .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"))
    .execute();
  const settled = await settleRevoked(
    trx,
    devices.map(({ id }) => id),
  );
  if (cause) await recordAudit(trx, cause.actor, ...revocations("device", "device.revoke", devices, cause));
  return settled;
}

const revocations = (
  type: "api_key" | "device",
  action: string,
  rows: { organization_id: string; id: string; name: string }[],
  cause: Cause,
) =>
  rows.map(({ organization_id, id, name }) => ({
    organizationId: organization_id,
    action,
    target: { type, id },
    metadata: { name, because: cause.action },
  }));

/** Revokes the open invitations of a user who may no longer invite, in one organization or in all. */
export async function revokeInvitations(
  trx: Transaction<Database>,
  { userId, organizationId }: { userId: string; organizationId?: string },
  cause: Cause | null,
): Promise<void> {
  let query = trx
    .updateTable("invitations")
    .set({ revoked_at: sql<string>`now()` })
    .where("invited_by", "=", userId)
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .returning(["organization_id", "id", "email"]);
  if (organizationId !== undefined) query = query.where("organization_id", "=", organizationId);
  const revoked = await query.execute();
  if (cause)
    await recordAudit(
      trx,
      cause.actor,
      ...revoked.map(({ organization_id, id, email }) => ({
        organizationId: organization_id,
        action: "organization.revokeInvitation",
        target: { type: "invitation", id },
        metadata: { email, because: cause.action },
      })),
    );
}

/** Cancels the commands of a just revoked API key that no device has claimed. */
export const cancelQueuedOfKey = (
  trx: Transaction<Database>,
  { organizationId, keyId }: { organizationId: string; keyId: string },
): Promise<SettledCommand[]> =>
  cancelQueued(trx, sql`organization_id = ${organizationId} and principal = ${`api_key:${keyId}`}`);

/** Cancels the queued commands of a user who lost access: they may wait for weeks, and must not run then. */
export function cancelQueued(
  trx: Transaction<Database>,
  whose: RawBuilder<boolean>,
): Promise<SettledCommand[]> {
  const error = {
    reason: "requester_revoked",
    message:
      "The caller lost access before a device claimed this command. Run it again as a member with access.",
  };
  return cancelCommands(trx, sql`status = 'queued' and ${whose}`, error);
}

/**
 * Settles everything open on devices that have just been revoked. Commands that were never sent are canceled. The
 * others are lost and agent sessions fail, since a revoked device cannot report their end.
 */
export async function settleRevoked(
  trx: Transaction<Database>,
  deviceIds: string[],
): Promise<SettledCommand[]> {
  if (deviceIds.length === 0) return [];
  const error = {
    reason: "device_revoked",
    message: "The device was revoked before it reported an end. Check the machine, or use another device.",
  };
  // Includes the organization, which the index of open commands begins with.
  const onThem = sql<boolean>`(organization_id, device_id) in
    (select organization_id, id from devices where id = any(${deviceIds}::uuid[]))`;
  const canceled = await cancelCommands(trx, sql`${onThem} and status = 'queued'`, error);
  const lostCommands = await settleCommands(trx, { to: "lost", which: onThem, error });
  await trx
    .updateTable("agent_sessions")
    .set({
      status: "failed",
      error: JSON.stringify(error),
      waiting_for_input: false,
      question_text: null,
      screen: null,
      ended_at: sql<string>`now()`,
    })
    .where(onThem)
    .where("status", "=", "running")
    .returning(notification("session_changed", sql<string>`id::text`).as("announced"))
    .execute();
  return [...canceled, ...lostCommands];
}

/**
 * Limited to the organizations where the holder is a member: leaving an organization has already revoked everything
 * there.
 */
function heldBy(
  holder: CredentialHolder,
  userColumn: "user_id" | "owner_id" | "requested_by",
): RawBuilder<boolean> {
  if (!("userId" in holder)) return sql`organization_id = ${holder.organizationId}`;
  const { userId, organizationId } = holder;
  const within =
    organizationId === undefined
      ? sql`organization_id in (select organization_id from memberships where user_id = ${userId})`
      : sql`organization_id = ${organizationId}`;
  return sql`${within} and ${sql.ref(userColumn)} = ${userId}`;
}
