import { type Actor, endSessions, GroveError, revokeCredentials } from "@grove/auth";
import type { Database, SettledCommand } from "@grove/db";
import type { Kysely, Transaction } from "kysely";
import { retryOnDeadlock } from "../lib/retryOnDeadlock";
import { leaveOrganizations } from "./leaveOrganizations";
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
): Promise<SettledCommand[]> => retryOnDeadlock(db, (trx) => deleteIn(trx, actor, userId));

async function deleteIn(trx: Transaction<Database>, actor: Actor, userId: string): Promise<SettledCommand[]> {
  // This lock prevents the account from becoming a member or an owner of another organization.
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw userNotFound(userId);
  let settled: SettledCommand[] = [];
  await leaveOrganizations(trx, userId, {
    actor,
    action: "user.delete",
    async settleOwned(organizationIds) {
      await requireOtherOwner(trx, userId, organizationIds);
      settled = await revokeCredentials(trx, { userId }, { actor, action: "user.delete" });
      await endSessions(trx, userId);
      if (organizationIds.length > 0)
        await trx.deleteFrom("organizations").where("id", "in", organizationIds).execute();
    },
    afterwards: () => trx.deleteFrom("users").where("id", "=", userId).execute(),
  });
  return settled;
}

/** @throws {GroveError} PRECONDITION_FAILED `last_owner` if one of these organizations has other members */
async function requireOtherOwner(
  trx: Transaction<Database>,
  userId: string,
  organizationIds: string[],
): Promise<void> {
  if (organizationIds.length === 0) return;
  // A concurrent acceptance of an invitation to one of them waits for this lock.
  await trx
    .selectFrom("organizations")
    .select("id")
    .where("id", "in", organizationIds)
    .orderBy("id")
    .forUpdate()
    .execute();
  const others = await trx
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .select("slug")
    .where("organization_id", "in", organizationIds)
    .where("user_id", "!=", userId)
    .executeTakeFirst();
  if (others)
    throw new GroveError(
      "PRECONDITION_FAILED",
      `You are the only owner of the organization ${others.slug}. Make another member its owner first, or delete it.`,
      { reason: "last_owner" },
    );
}
