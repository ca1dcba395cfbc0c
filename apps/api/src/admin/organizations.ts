import type { AdminListOrganizationsInput, AdminOrganization } from "@grove/schemas";
import { sql } from "kysely";
import { newestFirstOfSite } from "../lib/pagination";
import { containing } from "../lib/search";
import { toAdminOrganization } from "../organizations/row";
import type { Services } from "../services";

/** Reads a page of the site's organizations, newest first. */
export async function listOrganizations(
  { database }: Pick<Services, "database">,
  { search, ...page }: AdminListOrganizationsInput,
): Promise<AdminOrganization[]> {
  const { slow: db } = database;
  let query = db
    .selectFrom("organizations")
    .select(["id", "name", "slug", "image", "created_at"])
    .select(
      sql<number>`(select count(*)::integer from memberships where organization_id = organizations.id)`.as(
        "members",
      ),
    );
  if (search !== undefined)
    query = query.where(sql<boolean>`(${containing("name", search)} or ${containing("slug", search)})`);
  return (await newestFirstOfSite(db, "organizations", query, page)).map(toAdminOrganization);
}
