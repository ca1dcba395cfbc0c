import { type Database, notification } from "@grove/db";
import { type RawBuilder, sql, type Transaction } from "kysely";

/** A user everywhere, a user in one organization, or all of an organization. */
export type CredentialHolder = { userId: string; organizationId?: string } | { organizationId: string };

/**
 * Revokes API keys and devices of who leaves, is removed, disabled or deleted; in the transaction that does that, before
 * memberships or rows go. Each is announced by its id, so that streams which hang on it end, and the devices' open
 * commands are settled: nobody else will. What the holder has asked of others' devices and none has taken is canceled.
 */
export async function revokeCredentials(trx: Transaction<Database>, holder: CredentialHolder): Promise<void> {
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
  await settleCommands(
    trx,
    devices.map(({ id }) => id),
  );
  await cancelQueued(trx, holder);
}

/** A queue may last for weeks: what waits in it must not run for who may not ask for it any more. */
async function cancelQueued(trx: Transaction<Database>, holder: CredentialHolder): Promise<void> {
  const error = {
    reason: "requester_revoked",
    message: "Whoever asked for this lost access before a device took it. Ask for it anew.",
  };
  await trx
    .updateTable("device_commands")
    .set({ status: "canceled", error: JSON.stringify(error), finished_at: sql<string>`now()` })
    // Written out, so that the index of open commands always fits.
    .where("status", "=", sql.lit("queued"))
    .where(heldBy(holder, "requested_by"))
    .returning(notification("command_changed", sql<string>`id::text || ' ' || status`).as("announced"))
    .execute();
}

/**
 * Settles what is open on devices that have just been revoked: commands that they were not given are canceled; of the
 * rest, and of agent sessions, nobody will ever report an end.
 */
export async function settleCommands(trx: Transaction<Database>, deviceIds: string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  const error = {
    reason: "device_revoked",
    message: "The device was revoked before it reported an end. Look at the machine, or use another device.",
  };
  await trx
    .updateTable("device_commands")
    .set({
      status: sql`case status when 'queued' then 'canceled' else 'lost' end`,
      error: JSON.stringify(error),
      finished_at: sql<string>`now()`,
    })
    // With the organization, which the index of open commands begins with.
    .where(
      sql<boolean>`(organization_id, device_id) in
        (select organization_id, id from devices where id = any(${deviceIds}::uuid[]))`,
    )
    .where("status", "in", ["queued", "claimed", "running"])
    .returning(notification("command_changed", sql<string>`id::text || ' ' || status`).as("announced"))
    .execute();
  await trx
    .updateTable("agent_sessions")
    .set({
      status: "failed",
      error: JSON.stringify(error),
      waiting_for_input: false,
      ended_at: sql<string>`now()`,
    })
    // With the organization, which the index of open commands begins with.
    .where(
      sql<boolean>`(organization_id, device_id) in
        (select organization_id, id from devices where id = any(${deviceIds}::uuid[]))`,
    )
    .where("status", "=", "running")
    .returning(notification("session_changed", sql<string>`id::text`).as("announced"))
    .execute();
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
