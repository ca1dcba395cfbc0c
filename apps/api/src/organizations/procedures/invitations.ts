import {
  invitation,
  invitationCreated,
  invitationSeen,
  organization,
  organizationAcceptInvitationInput,
  organizationGetInvitationInput,
  organizationInviteInput,
  organizationListInvitationsInput,
  organizationRevokeInvitationInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberSessionProcedure, publicProcedure, sessionProcedure } from "../../trpc/procedures";
import { acceptByToken } from "../acceptInvitation";
import { invite, listInvitations, readInvitation, revokeInvitation } from "../invitations";

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
    // The transaction of `../invitations.ts` checks the role again: change both together.
    .mutation(({ ctx, input }) => invite(ctx.services, ctx.principal, input)),

  /** Invitations in every state, newest first. */
  listInvitations: memberSessionProcedure(organizationListInvitationsInput, "admin")
    .output(output(z.array(invitation)))
    .query(({ ctx, input }) => listInvitations(ctx.services, input)),

  /** Revokes an invitation that was not accepted; otherwise NOT_FOUND. */
  revokeInvitation: memberSessionProcedure(organizationRevokeInvitationInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => revokeInvitation(ctx.services, ctx.principal, input)),

  /** Describes an invitation to anyone who holds its token; NOT_FOUND for an unknown token. */
  getInvitation: publicProcedure(organizationGetInvitationInput)
    .output(output(invitationSeen))
    .query(({ ctx, input }) => readInvitation(ctx.services, input)),

  /**
   * Makes the caller a member. NOT_FOUND for an unknown token; FORBIDDEN `invitation_email_mismatch` unless the
   * caller's address is the invited one, `email_unverified` unless it is verified where mail is sent;
   * PRECONDITION_FAILED `invitation_not_pending` once the invitation is accepted, revoked or expired.
   */
  acceptInvitation: sessionProcedure(organizationAcceptInvitationInput)
    .output(output(organization))
    .mutation(({ ctx, input }) => acceptByToken(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
