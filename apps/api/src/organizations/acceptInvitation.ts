import { type Actor, GroveError, hashSecret, recordAudit, type SessionPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import type { InvitationStatus, Organization, OrganizationAcceptInvitationInput } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import type { Config, Services } from "../services";
import { invitationOfToken } from "./invitations";
import { invitationNotFound, invitationStatus, readOrganization } from "./row";

/** An invitation by its id, if a provider has verified the address; otherwise by the presented token. */
type Which = { id: string } | { token: string };

/**
 * Makes the invited person a member. If several accept concurrently, one succeeds. Where mail is sent, the address must
 * be verified, or the mailed token presented, which verifies it. The inviter sees the unmailed token and could
 * otherwise accept with an address that is not theirs.
 * @returns the organization
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `invitation_email_mismatch` or `email_unverified`; PRECONDITION_FAILED
 * `invitation_not_pending`
 */
export async function acceptInvitation(
  trx: Transaction<Database>,
  { smtp }: Pick<Config, "smtp">,
  actor: Actor,
  user: { id: string; email: string },
  which: Which,
): Promise<string> {
  // Every transaction locks the user's row before all others.
  const account = await trx
    .selectFrom("users")
    .select("email_verified_at")
    .where("id", "=", user.id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const mailed =
    "token" in which
      ? sql<boolean>`coalesce(mailed_token_hash = ${hashSecret(which.token)}, false)`
      : sql<boolean>`true`;
  const invitation = await trx
    .selectFrom("invitations")
    .select(["id", "organization_id", "email", "role", invitationStatus.as("status"), mailed.as("mailed")])
    .where("token" in which ? invitationOfToken(which.token) : sql<boolean>`id = ${which.id}`)
    .forUpdate()
    .executeTakeFirst();
  if (!invitation) throw invitationNotFound();
  requireAcceptable(invitation, user.email, smtp !== undefined && !account?.email_verified_at);
  if (invitation.mailed && !account?.email_verified_at)
    await trx
      .updateTable("users")
      .set({ email_verified_at: sql<string>`now()` })
      .where("id", "=", user.id)
      .execute();
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

/**
 * Refuses an invitation that the user may not accept.
 * @param needsProof whether the user must still prove that the address is theirs
 * @throws {GroveError} FORBIDDEN `invitation_email_mismatch` or `email_unverified`; PRECONDITION_FAILED
 * `invitation_not_pending`
 */
function requireAcceptable(
  invitation: { email: string; status: InvitationStatus; mailed: boolean },
  email: string,
  needsProof: boolean,
): void {
  // Checked first, so that only the invitee learns the status.
  if (invitation.email !== email)
    throw new GroveError(
      "FORBIDDEN",
      "This invitation is for another email address. Sign in with the address that it was sent to.",
      { reason: "invitation_email_mismatch" },
    );
  if (invitation.status !== "pending")
    throw new GroveError(
      "PRECONDITION_FAILED",
      `This invitation is ${invitation.status}. Ask for another one.`,
      { reason: "invitation_not_pending", details: { status: invitation.status } },
    );
  if (needsProof && !invitation.mailed)
    throw new GroveError(
      "FORBIDDEN",
      "Your email address is not verified. Open the link that was emailed to it, or verify the address first.",
      { reason: "email_unverified" },
    );
}

/**
 * Makes the caller a member of the organization that invited them.
 * @throws {GroveError} as {@link acceptInvitation}
 */
export function acceptByToken(
  { config, database }: Pick<Services, "config" | "database">,
  principal: SessionPrincipal,
  { token }: OrganizationAcceptInvitationInput,
): Promise<Organization> {
  return database.db.transaction().execute(async (trx) => {
    const { user } = principal;
    const organizationId = await acceptInvitation(trx, config, principal, user, { token });
    return readOrganization(trx, organizationId, user.id);
  });
}
