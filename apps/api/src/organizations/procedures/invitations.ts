import { createToken, GroveError, recordAudit } from "@grove/auth";
import { newId } from "@grove/db";
import {
  invitation,
  invitationCreated,
  invitationSeen,
  type Organization,
  organization,
  organizationAcceptInvitationInput,
  organizationGetInvitationInput,
  organizationInviteInput,
  organizationListInvitationsInput,
  organizationRevokeInvitationInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { lifetimes } from "../../lib/lifetimes";
import { invitationMail } from "../../lib/mailTexts";
import { newestFirst } from "../../lib/pagination";
import { output } from "../../trpc/output";
import { memberSessionProcedure, publicProcedure, sessionProcedure } from "../../trpc/procedures";
import { acceptInvitation, invitationOfToken } from "../invitations";
import { stayMember } from "../members";
import {
  invitationColumns,
  invitationNotFound,
  invitationStatus,
  openInvitationNotFound,
  readOrganization,
  toInvitation,
  toInvitationSeen,
} from "../row";

export const invitationProcedures = {
  /**
   * Invites an address until `expiresAt`, and mails it a link. `token` is shown only this once. Where mail is sent,
   * `token` works once the address is verified; the link holds another token, which verifies the address. Inviting an
   * address again renews its open invitation and invalidates the old link. CONFLICT `already_member` for a member's
   * address; TOO_MANY_REQUESTS `rate_limited` for an address that was mailed too often, or a caller who invites too
   * many; PRECONDITION_FAILED `quota_exceeded`.
   */
  invite: memberSessionProcedure(organizationInviteInput, "admin")
    .output(output(invitationCreated))
    .mutation(async ({ ctx, input: { organizationId, email, role } }) => {
      const { config, database, limits, mailer } = ctx.services;
      limits.invitations.take(ctx.principal.user.id);
      limits.invited.take(email, organizationId);
      const { token, hash } = createToken();
      const mailed = config.smtp && createToken();
      const { row, organizationName } = await database.db.transaction().execute(async (trx) => {
        await stayMember(trx, ctx.principal, organizationId, "admin");
        const member = await trx
          .selectFrom("memberships")
          .innerJoin("users", "users.id", "memberships.user_id")
          .select("user_id")
          .where("organization_id", "=", organizationId)
          .where("email", "=", email)
          .executeTakeFirst();
        if (member)
          throw new GroveError(
            "CONFLICT",
            `${email} is a member already. Change the member's role instead.`,
            {
              reason: "already_member",
            },
          );
        await ctx.services.quotas.take(trx, "invitations", organizationId);
        const renewed = {
          role,
          token_hash: hash,
          mailed_token_hash: mailed?.hash ?? null,
          invited_by: ctx.principal.user.id,
          expires_at: sql<string>`now() + ${lifetimes.invitation}`,
        };
        const row = await trx
          .insertInto("invitations")
          .values({ id: newId(), organization_id: organizationId, email, ...renewed })
          .onConflict((conflict) =>
            conflict
              .columns(["organization_id", "email"])
              .where("accepted_at", "is", null)
              .where("revoked_at", "is", null)
              .doUpdateSet(renewed),
          )
          .returning(invitationColumns)
          .executeTakeFirstOrThrow();
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "organization.invite",
          target: { type: "invitation", id: row.id },
          metadata: { email, role },
        });
        const { name } = await readOrganization(trx, organizationId, ctx.principal.user.id);
        return { row, organizationName: name };
      });
      const invited = {
        organization: organizationName,
        by: ctx.principal.user.name,
        token: mailed?.token ?? token,
      };
      mailer.send(() => invitationMail(mailer, email, invited));
      return { ...toInvitation(row), token };
    }),

  /** Invitations in every state, newest first. */
  listInvitations: memberSessionProcedure(organizationListInvitationsInput, "admin")
    .output(output(z.array(invitation)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const query = db
        .selectFrom("invitations")
        .select(invitationColumns)
        .where("organization_id", "=", input.organizationId);
      return (await newestFirst(db, "invitations", query, input)).map(toInvitation);
    }),

  /** Revokes an invitation that was not accepted; otherwise NOT_FOUND. */
  revokeInvitation: memberSessionProcedure(organizationRevokeInvitationInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input: { organizationId, id } }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
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
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action: "organization.revokeInvitation",
          target: { type: "invitation", id },
          metadata: { email: revoked.email },
        });
        return { success: true as const };
      }),
    ),

  /** Describes an invitation to anyone who holds its token; NOT_FOUND for an unknown token. */
  getInvitation: publicProcedure(organizationGetInvitationInput)
    .output(output(invitationSeen))
    .query(async ({ ctx, input }) => {
      const row = await ctx.services.database.db
        .selectFrom("invitations")
        .innerJoin("organizations", "organizations.id", "invitations.organization_id")
        .leftJoin("users", "users.id", "invitations.invited_by")
        .select(["invitations.email", "role", "expires_at", invitationStatus.as("status")])
        .select(["organizations.name as organizationName", "organizations.slug as organizationSlug"])
        .select("users.name as inviterName")
        .where(invitationOfToken(input.token))
        .executeTakeFirst();
      if (!row) throw invitationNotFound();
      return toInvitationSeen(row);
    }),

  /**
   * Makes the caller a member. NOT_FOUND for an unknown token; FORBIDDEN `invitation_email_mismatch` unless the
   * caller's address is the invited one, `email_unverified` unless it is verified where mail is sent;
   * PRECONDITION_FAILED `invitation_not_pending` once the invitation is accepted, revoked or expired.
   */
  acceptInvitation: sessionProcedure(organizationAcceptInvitationInput)
    .output(output(organization))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx): Promise<Organization> => {
        const { user } = ctx.principal;
        const { config } = ctx.services;
        const organizationId = await acceptInvitation(trx, config, ctx.principal, user, input);
        return readOrganization(trx, organizationId, user.id);
      }),
    ),
} satisfies TRPCRouterRecord;
