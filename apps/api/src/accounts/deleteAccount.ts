import { type Actor, endSessions, GroveError, recordAudit, revokeCredentials } from "@grove/auth";
import type { Database, SettledCommand } from "@grove/db";
import type { Kysely, Transaction } from "kysely";
import { yielding } from "../lib/yielding";
import { endMemberships } from "../organizations/members";
import { recordTasksChanged } from "../tasks/unlink";
import { userNotFound } from "./row";

/**
 * Deletes an account with its memberships, sessions, keys and devices, and the organizations that have no other member.
 * @returns the commands that this ended
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `last_owner` while it is the only owner of an organization with
 * other members
 */
export const deleteAccount = (
  db: Kysely<Database>,
  actor: Actor,
  userId: string,
): Promise<SettledCommand[]> => yielding(db, (trx) => deleteIn(trx, actor, userId));

async function deleteIn(trx: Transaction<Database>, actor: Actor, userId: string): Promise<SettledCommand[]> {
  // From here on nobody can make the account a member or an owner of anything.
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw userNotFound(userId);
  await trx
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .orderBy("organization_id")
    .forUpdate()
    .execute();
  const alone = await organizationsOwnedAlone(trx, userId);
  if (alone.length > 0) {
    // A concurrent acceptance of an invitation to one of them waits for this lock.
    await trx
      .selectFrom("organizations")
      .select("id")
      .where("id", "in", alone)
      .orderBy("id")
      .forUpdate()
      .execute();
    const others = await trx
      .selectFrom("memberships")
      .innerJoin("organizations", "organizations.id", "memberships.organization_id")
      .select("slug")
      .where("organization_id", "in", alone)
      .where("user_id", "!=", userId)
      .executeTakeFirst();
    if (others)
      throw new GroveError(
        "PRECONDITION_FAILED",
        `The organization ${others.slug} would be without an owner. Make another member its owner first, or delete it.`,
        { reason: "last_owner" },
      );
  }
  const settled = await revokeCredentials(trx, { userId }, { actor, action: "user.delete" });
  await endSessions(trx, userId);
  if (alone.length > 0) await trx.deleteFrom("organizations").where("id", "in", alone).execute();
  const { organizationIds, unlinked } = await endMemberships(trx, userId);
  await recordAudit(
    trx,
    actor,
    ...organizationIds.map((organizationId) => ({
      organizationId,
      action: "user.delete",
      target: { type: "user", id: userId },
    })),
  );
  await trx.deleteFrom("users").where("id", "=", userId).execute();
  await recordTasksChanged(trx, unlinked);
  return settled;
}

/** Locks the owners of every organization that the user owns; returns those that have no other owner. */
async function organizationsOwnedAlone(trx: Transaction<Database>, userId: string): Promise<string[]> {
  const owners = await trx
    .selectFrom("memberships")
    .select(["organization_id", "user_id"])
    .where("role", "=", "owner")
    .where("organization_id", "in", (eb) =>
      eb
        .selectFrom("memberships as own")
        .select("own.organization_id")
        .where("own.user_id", "=", userId)
        .where("own.role", "=", "owner"),
    )
    .orderBy("organization_id")
    .orderBy("user_id")
    .forUpdate()
    .execute();
  const shared = new Set(owners.filter((row) => row.user_id !== userId).map((row) => row.organization_id));
  return owners.map((row) => row.organization_id).filter((id) => !shared.has(id));
}
