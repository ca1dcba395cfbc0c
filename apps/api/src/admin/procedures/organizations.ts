import { adminListOrganizationsInput, adminOrganization } from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { sql } from "kysely";
import * as z from "zod";
import { newestFirstOfSite } from "../../lib/pagination";
import { containing } from "../../lib/search";
import { toAdminOrganization } from "../../organizations/row";
import { output } from "../../trpc/output";
import { adminProcedure } from "../../trpc/procedures";

export const organizationProcedures = {
  /** Organizations, newest first; `search` matches part of a name or slug. */
  listOrganizations: adminProcedure(adminListOrganizationsInput)
    .output(output(z.array(adminOrganization)))
    .query(async ({ ctx, input }) => {
      const { slow: db } = ctx.services.database;
      let query = db
        .selectFrom("organizations")
        .select(["id", "name", "slug", "image", "created_at"])
        .select(
          sql<number>`(select count(*)::integer from memberships where organization_id = organizations.id)`.as(
            "members",
          ),
        );
      if (input.search !== undefined)
        query = query.where(
          sql<boolean>`(${containing("name", input.search)} or ${containing("slug", input.search)})`,
        );
      return (await newestFirstOfSite(db, "organizations", query, input)).map(toAdminOrganization);
    }),
} satisfies TRPCRouterRecord;
