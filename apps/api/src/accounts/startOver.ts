import { createPersonalOrganization, recordAudit, type StartOver } from "@grove/auth";
import type { Database } from "@grove/db";
import { type Role, roles } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { announceRole, endMemberships } from "../organizations/members";
import { recordTasksChanged } from "../tasks/unlink";

const system = { kind: "system" } as const;
/** The cause that audit events name for these changes. */
const because = "user.startOver";

/**
 * Takes an account out of all its organizations and gives it a fresh one, because the person who put it there had only
 * typed its address. An organization that it alone owned goes to the member with the highest role who has been in it
 * longest. Without other members it is deleted.
 */
export const startOver: StartOver = async (trx, userId) => {
  const rows = await lockAllMembers(trx, userId);
  const owned = rows
    .filter((row) => row.user_id === userId && row.role === "owner")
    .map((row) => row.organization_id);
  const alone = owned.filter(
    (id) => !rows.some((row) => row.organization_id === id && row.role === "owner" && row.user_id !== userId),
  );
  for (const organizationId of alone) await handOver(trx, organizationId, userId);
  const { organizationIds, unlinked } = await endMemberships(trx, userId);
  await recordAudit(
    trx,
    system,
    ...organizationIds.map((organizationId) => ({
      organizationId,
      action: "organization.removeMember",
      target: { type: "user", id: userId },
      metadata: { because },
    })),
  );
  const { name } = await trx
    .selectFrom("users")
    .select("name")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  await createPersonalOrganization(trx, { name, ownerId: userId });
  await recordTasksChanged(trx, unlinked);
};

/** Locks all members of the user's organizations, in the order that every transaction uses. */
const lockAllMembers = (trx: Transaction<Database>, userId: string) =>
  trx
    .selectFrom("memberships")
    .select(["organization_id", "user_id", "role"])
    .where("organization_id", "in", (eb) =>
      eb.selectFrom("memberships as own").select("own.organization_id").where("own.user_id", "=", userId),
    )
    .orderBy("organization_id")
    .orderBy("user_id")
    .forUpdate()
    .execute();

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
