import { GroveError } from "@grove/auth";
import type { Database, OrganizationTable } from "@grove/db";
import type { Organization, Role } from "@grove/schemas";
import type { Kysely, Selectable } from "kysely";

type OrganizationRow = Pick<
  Selectable<OrganizationTable>,
  "id" | "name" | "slug" | "image" | "created_at"
> & { role: Role };

/** An organization's row with the caller's role, as the API returns it. */
export const toOrganization = (row: OrganizationRow): Organization => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  image: row.image ?? "",
  createdAt: row.created_at,
  role: row.role,
});

/**
 * The organization as this member sees it.
 * @throws {GroveError} NOT_FOUND when either has just been deleted
 */
export async function readOrganization(
  db: Kysely<Database>,
  organizationId: string,
  userId: string,
): Promise<Organization> {
  const row = await db
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .where("memberships.organization_id", "=", organizationId)
    .where("memberships.user_id", "=", userId)
    .select(["organizations.id", "name", "slug", "image", "organizations.created_at", "role"])
    .executeTakeFirst();
  if (!row) throw new GroveError("NOT_FOUND", `There is no organization ${organizationId} of yours.`);
  return toOrganization(row);
}
