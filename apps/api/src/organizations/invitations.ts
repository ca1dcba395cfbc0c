import { createToken, GroveError, hashSecret, recordAudit, type SessionPrincipal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type {
  Invitation,
  InvitationSeen,
  OrganizationGetInvitationInput,
  OrganizationInviteInput,
  OrganizationListInvitationsInput,
  OrganizationRevokeInvitationInput,
  Success,
} from "@grove/schemas";
import { type Insertable, sql, type Transaction } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { invitationMail } from "../lib/mailTexts";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { stayMember } from "./members";
import {
  invitationColumns,
  invitationNotFound,
  invitationStatus,
  openInvitationNotFound,
  readOrganization,
  toInvitation,
  toInvitationSeen,
} from "./row";

/** Matches the token that the inviter received, or the one that was mailed. */
export const invitationOfToken = (token: string) =>
  sql<boolean>`${hashSecret(token)} in (invitations.token_hash, invitations.mailed_token_hash)`;

/**
 * Creates or renews an invitation, and mails its link.
 * @throws {GroveError} CONFLICT `already_member`; TOO_MANY_REQUESTS `rate_limited`; PRECONDITION_FAILED
 * `quota_exceeded`
 */
export async function invite(
  {
    config,
    database,
    limits,
    mailer,
    quotas,
  }: Pick<Services, "config" | "database" | "limits" | "mailer" | "quotas">,
  principal: SessionPrincipal,
  { organizationId, email, role }: OrganizationInviteInput,
) {
  limits.invitations.take(principal.user.id);
  limits.invitationsReceived.take(email, organizationId);
  const { token, hash } = createToken();
  const mailed = config.smtp && createToken();
  const { row, organizationName } = await database.db.transaction().execute(async (trx) => {
    // Checks the role of `procedures/invitations.ts` again, under a lock: change both together.
    await stayMember(trx, principal, organizationId, "admin");
    const member = await trx
      .selectFrom("memberships")
      .innerJoin("users", "users.id", "memberships.user_id")
      .select("user_id")
      .where("organization_id", "=", organizationId)
      .where("email", "=", email)
      .executeTakeFirst();
    if (member)
      throw new GroveError("CONFLICT", `${email} is already a member. Change the member's role instead.`, {
        reason: "already_member",
      });
    await quotas.take(trx, "invitations", organizationId);
    const row = await upsertInvitation(trx, {
      organization_id: organizationId,
      email,
      role,
      token_hash: hash,
      mailed_token_hash: mailed?.hash ?? null,
      invited_by: principal.user.id,
    });
    await recordAudit(trx, principal, {
      organizationId,
      action: "organization.invite",
      target: { type: "invitation", id: row.id },
      metadata: { email, role },
    });
    const { name } = await readOrganization(trx, organizationId, principal.user.id);
    return { row, organizationName: name };
  });
  const invited = {
    organization: organizationName,
    by: principal.user.name,
    token: mailed?.token ?? token,
  };
  mailer.send(() => invitationMail(mailer, email, invited));
  return { ...toInvitation(row), token };
}

/** Inserts an invitation, or renews the open one of the same address. */
function upsertInvitation(
  trx: Transaction<Database>,
  given: Omit<Insertable<Database["invitations"]>, "id" | "expires_at">,
) {
  const { organization_id, email, ...fields } = given;
  const renewed = { ...fields, expires_at: sql<string>`now() + ${lifetimes.invitation}` };
  return trx
    .insertInto("invitations")
    .values({ id: newId(), organization_id, email, ...renewed })
    .onConflict((conflict) =>
      conflict
        .columns(["organization_id", "email"])
        .where("accepted_at", "is", null)
        .where("revoked_at", "is", null)
        .doUpdateSet(renewed),
    )
    .returning(invitationColumns)
    .executeTakeFirstOrThrow();
}

/** Reads a page of an organization's invitations in every state, newest first. */
export async function listInvitations(
  { database }: Pick<Services, "database">,
  input: OrganizationListInvitationsInput,
): Promise<Invitation[]> {
  const { db } = database;
  const query = db
    .selectFrom("invitations")
    .select(invitationColumns)
    .where("organization_id", "=", input.organizationId);
  return (await newestFirst(db, "invitations", query, input)).map(toInvitation);
}

/**
 * Reads an invitation for anyone who holds its token.
 * @throws {GroveError} NOT_FOUND
 */
export async function readInvitation(
  { database }: Pick<Services, "database">,
  { token }: OrganizationGetInvitationInput,
): Promise<InvitationSeen> {
  const row = await database.db
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.id", "invitations.organization_id")
    .leftJoin("users", "users.id", "invitations.invited_by")
    .select(["invitations.email", "role", "expires_at", invitationStatus.as("status")])
    .select(["organizations.name as organizationName", "organizations.slug as organizationSlug"])
    .select("users.name as inviterName")
    .where(invitationOfToken(token))
    .executeTakeFirst();
  if (!row) throw invitationNotFound();
  return toInvitationSeen(row);
}

/**
 * Revokes an open invitation.
 * @throws {GroveError} NOT_FOUND
 */
export function revokeInvitation(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  { organizationId, id }: OrganizationRevokeInvitationInput,
): Promise<Success> {
  return database.db.transaction().execute(async (trx) => {
    const revoked = await trx
      .updateTable("invitations")
      .set({ revoked_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .where("accepted_at", "is", null)
      .where("revoked_at", "is", null)
      .returning(["id", "email"])
      .executeTakeFirst();
    if (!revoked) throw openInvitationNotFound(id);
    await recordAudit(trx, principal, {
      organizationId,
      action: "organization.revokeInvitation",
      target: { type: "invitation", id },
      metadata: { email: revoked.email },
    });
    return { success: true as const };
  });
}
