import { createOrganization, GroveError, recordAudit, revokeCredentials } from "@grove/auth";
import { isUniqueViolation } from "@grove/db";
import {
  noInput,
  type Organization,
  organization,
  organizationCreateInput,
  organizationDeleteInput,
  organizationGetInput,
  organizationUpdateInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { retryOnDeadlock } from "../../lib/retryOnDeadlock";
import { output } from "../../trpc/output";
import {
  memberProcedure,
  memberSessionProcedure,
  protectedProcedure,
  sessionProcedure,
} from "../../trpc/procedures";
import { announceRoles, requireRole } from "../members";
import { readOrganization, toOrganization } from "../row";

export const organizationProcedures = {
  /**
   * Creates an organization that the caller owns. CONFLICT `slug_taken` for a slug that is in use; PRECONDITION_FAILED
   * `quota_exceeded`.
   */
  create: sessionProcedure(organizationCreateInput)
    .output(output(organization))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx): Promise<Organization> => {
        await ctx.services.quotas.take(trx, "ownedOrganizations", ctx.principal.user.id);
        const created = await createOrganization(trx, { ...input, ownerId: ctx.principal.user.id });
        await recordAudit(trx, ctx.principal, {
          organizationId: created.id,
          action: "organization.create",
          target: { type: "organization", id: created.id },
        });
        return toOrganization({ ...created, role: "owner" });
      }),
    ),

  /** The caller's organizations with the caller's role, oldest first; with an API key, its one organization. */
  list: protectedProcedure(noInput)
    .output(output(z.array(organization)))
    .query(async ({ ctx }) => {
      const rows = await ctx.services.database.db
        .selectFrom("memberships")
        .innerJoin("organizations", "organizations.id", "memberships.organization_id")
        .where("memberships.user_id", "=", ctx.principal.user.id)
        .where(sql<boolean>`organizations.id = any(${[...ctx.principal.memberships.keys()]}::uuid[])`)
        .select(["organizations.id", "name", "slug", "image", "organizations.created_at", "role"])
        .orderBy("organizations.created_at")
        .orderBy("organizations.id")
        .execute();
      return rows.map(toOrganization);
    }),

  /** The organization, with the caller's role. */
  get: memberProcedure(organizationGetInput)
    .output(output(organization))
    .query(({ ctx, input }) =>
      readOrganization(ctx.services.database.db, input.organizationId, ctx.principal.user.id),
    ),

  /** Changes the given fields. CONFLICT `slug_taken` for a slug that is in use. */
  update: memberProcedure(organizationUpdateInput, "admin")
    .output(output(organization))
    .mutation(async ({ ctx, input: { organizationId, ...fields } }) => {
      try {
        return await ctx.services.database.db.transaction().execute(async (trx) => {
          await trx
            .updateTable("organizations")
            .set({ ...fields, updated_at: sql<string>`now()` })
            .where("id", "=", organizationId)
            .execute();
          await recordAudit(trx, ctx.principal, {
            organizationId,
            action: "organization.update",
            target: { type: "organization", id: organizationId },
            metadata: fields,
          });
          return readOrganization(trx, organizationId, ctx.principal.user.id);
        });
      } catch (error) {
        if (!isUniqueViolation(error, "organizations_slug")) throw error;
        throw new GroveError("CONFLICT", `The slug ${fields.slug} is taken. Choose another.`, {
          reason: "slug_taken",
        });
      }
    }),

  /**
   * Deletes the organization with all its data, including its audit events; the log keeps who did it. BAD_REQUEST
   * `confirmation_mismatch` unless `confirmSlug` is its slug; TIMEOUT when writes to it do not pause within about five
   * seconds.
   */
  delete: memberSessionProcedure(organizationDeleteInput, "owner")
    .output(output(success))
    .mutation(async ({ ctx, input: { organizationId, confirmSlug } }) => {
      await retryOnDeadlock(ctx.services.database.db, async (trx) => {
        const members = await trx
          .selectFrom("memberships")
          .select(["user_id", "role"])
          .where("organization_id", "=", organizationId)
          .orderBy("user_id")
          .forUpdate()
          .execute();
        const roles = new Map(members.map(({ user_id, role }) => [user_id, role]));
        requireRole(roles, ctx.principal, organizationId, "owner");
        const { slug } = await readOrganization(trx, organizationId, ctx.principal.user.id);
        if (slug !== confirmSlug)
          throw new GroveError(
            "BAD_REQUEST",
            `confirmSlug: to delete this organization, give its slug ${slug}.`,
            {
              reason: "confirmation_mismatch",
            },
          );
        await revokeCredentials(trx, { organizationId }, null);
        await announceRoles(trx, organizationId);
        await trx.deleteFrom("organizations").where("id", "=", organizationId).execute();
      });
      ctx.services.log.info(
        { reqId: ctx.requestId, organizationId, userId: ctx.principal.user.id },
        "organization deleted",
      );
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;
