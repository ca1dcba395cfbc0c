import { GroveError } from "@grove/auth";
import type { Database, InvitationTable } from "@grove/db";
import type { Invitation, InvitationStatus } from "@grove/schemas";
import { type Expression, type Selectable, type SqlBool, sql, type Transaction } from "kysely";
import { type Actor, recordAudit } from "./audit";

/** By the database's clock. */
export const invitationStatus = sql<InvitationStatus>`case
  when invitations.accepted_at is not null then 'accepted'
  when invitations.revoked_at is not null then 'revoked'
  when invitations.expires_at <= now() then 'expired'
  else 'pending' end`;

type InvitationRow = Pick<Selectable<InvitationTable>, "id" | "email" | "role" | "expires_at"> & {
  status: InvitationStatus;
};

/** An invitation's row as the API answers it. */
export const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  expiresAt: row.expires_at,
  status: row.status,
});

export const unknownInvitation = () =>
  new GroveError("NOT_FOUND", "There is no such invitation. Check the link, or ask for another.");

/**
 * Makes the invited person a member. Of several who accept at once, one does.
 * @param which the invitation, among all organizations'
 * @returns the organization
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `invitation_email_mismatch`; PRECONDITION_FAILED `invitation_not_pending`
 */
export async function acceptInvitation(
  trx: Transaction<Database>,
  actor: Actor,
  user: { id: string; email: string },
  which: Expression<SqlBool>,
): Promise<string> {
  const invitation = await trx
    .selectFrom("invitations")
    .select(["id", "organization_id", "email", "role", invitationStatus.as("status")])
    .where(which)
    .orderBy("created_at")
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!invitation) throw unknownInvitation();
  // Who is not meant learns no more than that.
  if (invitation.email !== user.email)
    throw new GroveError(
      "FORBIDDEN",
      "This invitation is for another email address. Sign in with the one it was sent to.",
      { reason: "invitation_email_mismatch" },
    );
  if (invitation.status !== "pending")
    throw new GroveError(
      "PRECONDITION_FAILED",
      `This invitation is ${invitation.status}. Ask for another one.`,
      { reason: "invitation_not_pending", details: { status: invitation.status } },
    );
  const organizationId = invitation.organization_id;
  await trx
    .updateTable("invitations")
    .set({ accepted_at: sql<string>`now()` })
    .where("organization_id", "=", organizationId)
    .where("id", "=", invitation.id)
    .execute();
  await trx
    .insertInto("memberships")
    .values({ organization_id: organizationId, user_id: user.id, role: invitation.role })
    .onConflict((conflict) => conflict.columns(["organization_id", "user_id"]).doNothing())
    .execute();
  await recordAudit(trx, actor, {
    organizationId,
    action: "organization.acceptInvitation",
    target: { type: "user", id: user.id },
    metadata: { invitationId: invitation.id, role: invitation.role },
  });
  return organizationId;
}
