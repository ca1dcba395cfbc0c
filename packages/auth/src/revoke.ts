import { cancelCommands, type Database, notification, type SettledCommand, settleCommands } from "@grove/db";
import { type RawBuilder, sql, type Transaction } from "kysely";

/** A user everywhere, a user in one organization, or all of an organization. */
export type CredentialHolder = { userId: string; organizationId?: string } | { organizationId: string };

/**
 * Revokes API keys and devices of who leaves, is removed, disabled or deleted; in the transaction that does that, before
 * memberships or rows go. Each is announced by its id, so that streams which hang on it end, and the devices' open
 * commands are settled: nobody else will. What the holder has asked of others' devices and none has taken is canceled.
 * @returns the commands that have ended by it
 */
export async function revokeCredentials(
  trx: Transaction<Database>,
  holder: CredentialHolder,
): Promise<SettledCommand[]> {
  await trx
    .updateTable("api_keys")
    .set({ revoked_at: sql<string>`now()` })
    .where("revoked_at", "is", null)
    .where(heldBy(holder, "user_id"))
    .returning(notification("credential_revoked", sql<string>`id::text`).as("announced"))
    .execute();
  const devices = await trx
    .updateTable("devices")
    .set({ revoked_at: sql<string>`now()`, present_until: null, offline_reason: "revoked" })
    // Whoever locks several devices takes them in the order of their ids.
    .where("id", "in", (eb) =>
      eb
        .selectFrom("devices")
        .select("id")
        .where("revoked_at", "is", null)
        .where(heldBy(holder, "owner_id"))
        .orderBy("id")
        .forNoKeyUpdate(),
    )
    .returning(["id", notification("credential_revoked", sql<string>`id::text`).as("announced")])
    .execute();
  const settled = await settleRevoked(
    trx,
    devices.map(({ id }) => id),
  );
  return [...settled, ...(await cancelQueued(trx, holder))];
}

/** A queue may last for weeks: what waits in it must not run for who may not ask for it any more. */
function cancelQueued(trx: Transaction<Database>, holder: CredentialHolder): Promise<SettledCommand[]> {
  const error = {
    reason: "requester_revoked",
    message: "Whoever asked for this lost access before a device took it. Ask for it anew.",
  };
  return cancelCommands(trx, sql`status = 'queued' and ${heldBy(holder, "requested_by")}`, error);
}

/**
 * Settles what is open on devices that have just been revoked: commands that they were not given are canceled; of the
 * rest, and of agent sessions, nobody will ever report an end.
 */
export async function settleRevoked(
  trx: Transaction<Database>,
  deviceIds: string[],
): Promise<SettledCommand[]> {
  if (deviceIds.length === 0) return [];
  const error = {
    reason: "device_revoked",
    message: "The device was revoked before it reported an end. Look at the machine, or use another device.",
  };
  // With the organization, which the index of open commands begins with.
  const onThem = sql<boolean>`(organization_id, device_id) in
    (select organization_id, id from devices where id = any(${deviceIds}::uuid[]))`;
  const canceled = await cancelCommands(trx, sql`${onThem} and status = 'queued'`, error);
  const lost = await settleCommands(trx, { to: "lost", which: onThem, error });
  await trx
    .updateTable("agent_sessions")
    .set({
      status: "failed",
      error: JSON.stringify(error),
      waiting_for_input: false,
      ended_at: sql<string>`now()`,
    })
    .where(onThem)
    .where("status", "=", "running")
    .returning(notification("session_changed", sql<string>`id::text`).as("announced"))
    .execute();
  return [...canceled, ...lost];
}

/** Bounded to the organizations where the holder is a member: whoever left one had all revoked there. */
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
