import {
  noInput,
  organization,
  organizationCreateInput,
  organizationDeleteInput,
  organizationGetInput,
  organizationUpdateInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import {
  memberProcedure,
  memberSessionProcedure,
  protectedProcedure,
  sessionProcedure,
} from "../../trpc/procedures";
import {
  createOwnOrganization,
  deleteOrganization,
  listOwnOrganizations,
  updateOrganization,
} from "../organization";
import { readOrganization } from "../row";

export const organizationProcedures = {
  /**
   * Creates an organization that the caller owns. CONFLICT `slug_taken` for a slug that is in use; PRECONDITION_FAILED
   * `quota_exceeded`.
   */
  create: sessionProcedure(organizationCreateInput)
    .output(output(organization))
    .mutation(({ ctx, input }) => createOwnOrganization(ctx.services, ctx.principal, input)),

  /** The caller's organizations with the caller's role, oldest first; with an API key, its one organization. */
  list: protectedProcedure(noInput)
    .output(output(z.array(organization)))
    .query(({ ctx }) => listOwnOrganizations(ctx.services, ctx.principal)),

  /** The organization, with the caller's role. */
  get: memberProcedure(organizationGetInput)
    .output(output(organization))
    .query(({ ctx, input }) =>
      readOrganization(ctx.services.database.db, input.organizationId, ctx.principal.user.id),
    ),

  /** Changes the given fields. CONFLICT `slug_taken` for a slug that is in use. */
  update: memberProcedure(organizationUpdateInput, "admin")
    .output(output(organization))
    .mutation(({ ctx, input }) => updateOrganization(ctx.services, ctx.principal, input)),

  /**
   * Deletes the organization with all its data, including its audit events; the log keeps who did it. BAD_REQUEST
   * `confirmation_mismatch` unless `confirmSlug` is its slug; TIMEOUT when writes to it do not pause within about five
   * seconds.
   */
  delete: memberSessionProcedure(organizationDeleteInput, "owner")
    .output(output(success))
    .mutation(async ({ ctx, input }) => {
      await deleteOrganization(ctx.services, ctx.principal, input);
      ctx.services.log.info(
        { reqId: ctx.requestId, organizationId: input.organizationId, userId: ctx.principal.user.id },
        "organization deleted",
      );
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;
