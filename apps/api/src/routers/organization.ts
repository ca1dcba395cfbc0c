import { createOrganization } from "@grove/auth";
import { type Organization, organization, organizationCreateInput } from "@grove/schemas";
import { z } from "zod";
import { recordAudit } from "../audit";
import { output } from "../outputs";
import { protectedProcedure, router, sessionProcedure } from "../trpc";

export const organizationRouter = router({
  /** Creates an organization that the caller owns. CONFLICT `slug_taken` for a slug that is in use. */
  create: sessionProcedure(organizationCreateInput)
    .output(output(organization))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx): Promise<Organization> => {
        const created = await createOrganization(trx, { ...input, ownerId: ctx.principal.user.id });
        await recordAudit(trx, ctx.principal, {
          organizationId: created.id,
          action: "organization.create",
          target: { type: "organization", id: created.id },
        });
        return toOrganization({ ...created, role: "owner" });
      }),
    ),

  /** The caller's organizations with the caller's role, oldest first; under an API key, its one organization. */
  list: protectedProcedure(z.void())
    .output(output(z.array(organization)))
    .query(async ({ ctx }) => {
      const rows = await ctx.services.database.db
        .selectFrom("memberships")
        .innerJoin("organizations", "organizations.id", "memberships.organization_id")
        .where("memberships.user_id", "=", ctx.principal.user.id)
        .where("organizations.id", "in", [...ctx.principal.memberships.keys()])
        .select(["organizations.id", "name", "slug", "image", "organizations.created_at", "role"])
        .orderBy("organizations.created_at")
        .orderBy("organizations.id")
        .execute();
      return rows.map(toOrganization);
    }),
});

const toOrganization = (row: {
  id: string;
  name: string;
  slug: string;
  image: string | null;
  created_at: Date;
  role: Organization["role"];
}): Organization => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  image: row.image ?? "",
  createdAt: row.created_at.toISOString(),
  role: row.role,
});
