import { createPersonalOrganization, type ResetMemberships, recordAudit } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Role, roles } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { announceRole } from "../organizations/members";
import { leaveOrganizations } from "./leaveOrganizations";

const system = { kind: "system" } as const;
/** Recorded in audit events as the cause. */
const because = "user.startOver";

/**
 * Removes an account from all its organizations and gives it a new organization, because its previous user had only
 * typed its address. An organization that the account alone owned goes to the member with the highest role, and among
 * those to the one who joined first. Without other members, the organization is deleted.
 */
export const resetMemberships: ResetMemberships = (trx, userId) =>
  leaveOrganizations(trx, userId, {
    actor: system,
    action: "organization.removeMember",
    metadata: { because },
    async settleOwned(organizationIds) {
      for (const organizationId of organizationIds) await handOver(trx, organizationId, userId);
    },
    async afterwards() {
      const { name } = await trx
        .selectFrom("users")
        .select("name")
        .where("id", "=", userId)
        .executeTakeFirstOrThrow();
      await createPersonalOrganization(trx, { name, ownerId: userId });
    },
  });

/** Gives an organization to another member, or deletes it when there is none. */
async function handOver(trx: Transaction<Database>, organizationId: string, userId: string): Promise<void> {
  // A concurrent acceptance of an invitation to it waits for this lock.
  await trx.selectFrom("organizations").select("id").where("id", "=", organizationId).forUpdate().execute();
  const rank = sql<number>`array_position(${[...roles]}::text[], role)`;
  const heir = await trx
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "!=", userId)
    .orderBy(rank, "desc")
    .orderBy("created_at")
    .orderBy("user_id")
    .limit(1)
    .executeTakeFirst();
  if (heir) await makeOwner(trx, organizationId, heir);
  else await trx.deleteFrom("organizations").where("id", "=", organizationId).execute();
}

async function makeOwner(
  trx: Transaction<Database>,
  organizationId: string,
  heir: { user_id: string; role: Role },
): Promise<void> {
  await trx
    .updateTable("memberships")
    .set({ role: "owner" })
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", heir.user_id)
    .execute();
  await announceRole(trx, { organizationId, userId: heir.user_id });
  await recordAudit(trx, system, {
    organizationId,
    action: "organization.updateMemberRole",
    target: { type: "user", id: heir.user_id },
    metadata: { from: heir.role, to: "owner", because },
  });
}
