import {
  createOrganization,
  GroveError,
  recordAudit,
  revokeCredentials,
  type SessionPrincipal,
  type UserPrincipal,
} from "@grove/auth";
import { isUniqueViolation } from "@grove/db";
import type {
  Organization,
  OrganizationCreateInput,
  OrganizationDeleteInput,
  OrganizationUpdateInput,
} from "@grove/schemas";
import { sql } from "kysely";
import { retryOnDeadlock } from "../lib/retryOnDeadlock";
import type { Services } from "../services";
import { announceRoles, requireRole } from "./members";
import { readOrganization, toOrganization } from "./row";

/**
 * Creates an organization that the caller owns.
 * @throws {GroveError} CONFLICT `slug_taken`; PRECONDITION_FAILED `quota_exceeded`
 */
export function createOwnOrganization(
  { database, quotas }: Pick<Services, "database" | "quotas">,
  principal: SessionPrincipal,
  input: OrganizationCreateInput,
): Promise<Organization> {
  return database.db.transaction().execute(async (trx) => {
    await quotas.take(trx, "ownedOrganizations", principal.user.id);
    const created = await createOrganization(trx, { ...input, ownerId: principal.user.id });
    await recordAudit(trx, principal, {
      organizationId: created.id,
      action: "organization.create",
      target: { type: "organization", id: created.id },
    });
    return toOrganization({ ...created, role: "owner" });
  });
}

/** Reads the caller's organizations, oldest first. */
export async function listOwnOrganizations(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
): Promise<Organization[]> {
  const rows = await database.db
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .where("memberships.user_id", "=", principal.user.id)
    .where(sql<boolean>`organizations.id = any(${[...principal.memberships.keys()]}::uuid[])`)
    .select(["organizations.id", "name", "slug", "image", "organizations.created_at", "role"])
    .orderBy("organizations.created_at")
    .orderBy("organizations.id")
    .execute();
  return rows.map(toOrganization);
}

/**
 * Changes the given fields.
 * @throws {GroveError} CONFLICT `slug_taken`
 */
export async function updateOrganization(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  { organizationId, ...fields }: OrganizationUpdateInput,
): Promise<Organization> {
  try {
    return await database.db.transaction().execute(async (trx) => {
      await trx
        .updateTable("organizations")
        .set({ ...fields, updated_at: sql<string>`now()` })
        .where("id", "=", organizationId)
        .execute();
      await recordAudit(trx, principal, {
        organizationId,
        action: "organization.update",
        target: { type: "organization", id: organizationId },
        metadata: fields,
      });
      return readOrganization(trx, organizationId, principal.user.id);
    });
  } catch (error) {
    if (!isUniqueViolation(error, "organizations_slug")) throw error;
    throw new GroveError("CONFLICT", `The slug ${fields.slug} is taken. Choose another.`, {
      reason: "slug_taken",
    });
  }
}

/**
 * Deletes an organization with all its data.
 * @throws {GroveError} BAD_REQUEST `confirmation_mismatch`; FORBIDDEN `role_required`; TIMEOUT
 */
export async function deleteOrganization(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  { organizationId, confirmSlug }: OrganizationDeleteInput,
): Promise<void> {
  await retryOnDeadlock(database.db, async (trx) => {
    const members = await trx
      .selectFrom("memberships")
      .select(["user_id", "role"])
      .where("organization_id", "=", organizationId)
      .orderBy("user_id")
      .forUpdate()
      .execute();
    const roles = new Map(members.map(({ user_id, role }) => [user_id, role]));
    requireRole(roles, principal, organizationId, "owner");
    const { slug } = await readOrganization(trx, organizationId, principal.user.id);
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
}
