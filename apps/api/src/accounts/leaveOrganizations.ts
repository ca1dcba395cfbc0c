import { type Actor, recordAudit } from "@grove/auth";
import type { Database } from "@grove/db";
import type { Transaction } from "kysely";
import { endMemberships } from "../organizations/members";
import { recordTasksChanged } from "../tasks/unlink";

interface Leaving {
  actor: Actor;
  /** The action that the audit log of each organization names. */
  action: string;
  metadata?: Record<string, string>;
  /** Decides what becomes of the organizations that the user alone owns. */
  settleOwned(organizationIds: string[]): Promise<void>;
  /** Runs once the user is in no organization. */
  afterwards(): Promise<unknown>;
}

/** Takes a user out of all organizations, and records that in each of them. Call it last in the transaction. */
export async function leaveOrganizations(
  trx: Transaction<Database>,
  userId: string,
  { actor, action, metadata, settleOwned, afterwards }: Leaving,
): Promise<void> {
  await settleOwned(await lockOwnedAlone(trx, userId));
  const { organizationIds, unlinked } = await endMemberships(trx, userId);
  const target = { type: "user", id: userId };
  const entries = organizationIds.map((organizationId) => ({ organizationId, action, target, metadata }));
  await recordAudit(trx, actor, ...entries);
  await afterwards();
  await recordTasksChanged(trx, unlinked);
}

/**
 * Locks all members of the user's organizations, in the order that every transaction uses. Returns the organizations
 * whose only owner the user is.
 */
async function lockOwnedAlone(trx: Transaction<Database>, userId: string): Promise<string[]> {
  const members = await trx
    .selectFrom("memberships")
    .select(["organization_id", "user_id", "role"])
    .where("organization_id", "in", (eb) =>
      eb.selectFrom("memberships as own").select("own.organization_id").where("own.user_id", "=", userId),
    )
    .orderBy("organization_id")
    .orderBy("user_id")
    .forUpdate()
    .execute();
  const owners = members.filter(({ role }) => role === "owner");
  const shared = new Set(owners.filter((row) => row.user_id !== userId).map((row) => row.organization_id));
  return owners.map((row) => row.organization_id).filter((id) => !shared.has(id));
}
