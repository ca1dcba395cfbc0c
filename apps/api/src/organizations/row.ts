import { GroveError } from "@grove/auth";
import type {
  AuditEventTable,
  Database,
  InvitationTable,
  MembershipTable,
  OrganizationTable,
  UserTable,
} from "@grove/db";
import type {
  AdminOrganization,
  AuditEvent,
  Invitation,
  InvitationSeen,
  InvitationStatus,
  Member,
  Organization,
  Role,
} from "@grove/schemas";
import { type Kysely, type Selectable, sql } from "kysely";

export interface MemberKey {
  organizationId: string;
  userId: string;
}

type OrganizationRow = Pick<Selectable<OrganizationTable>, "id" | "name" | "slug" | "image" | "created_at">;

/** An organization's row with the caller's role, as the API returns it. */
export const toOrganization = (row: OrganizationRow & { role: Role }): Organization => ({
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
  if (!row) throw organizationNotFound(organizationId);
  return toOrganization(row);
}

const organizationNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no organization ${id} of yours.`);

/** An organization's row as site admins see it, with the number of its members. */
export const toAdminOrganization = (row: OrganizationRow & { members: number }): AdminOrganization => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  image: row.image ?? "",
  members: row.members,
  createdAt: row.created_at,
});

type MemberRow = Pick<Selectable<MembershipTable>, "user_id" | "role" | "created_at"> &
  Pick<Selectable<UserTable>, "name" | "email" | "image">;

/** A membership's row with its user, as the API returns it. */
export const toMember = (row: MemberRow): Member => ({
  userId: row.user_id,
  name: row.name,
  email: row.email,
  image: row.image ?? "",
  role: row.role,
  joinedAt: row.created_at,
});

export const memberNotFound = (userId: string) =>
  new GroveError("NOT_FOUND", `There is no member ${userId}.`);

/** An invitation's status, decided by the database's clock. */
export const invitationStatus = sql<InvitationStatus>`case
  when invitations.accepted_at is not null then 'accepted'
  when invitations.revoked_at is not null then 'revoked'
  when invitations.expires_at <= now() then 'expired'
  else 'pending' end`;

/** The columns that {@link toInvitation} needs. */
export const invitationColumns = [
  "id",
  "email",
  "role",
  "expires_at",
  invitationStatus.as("status"),
] as const;

type InvitationRow = Pick<Selectable<InvitationTable>, "id" | "email" | "role" | "expires_at"> & {
  status: InvitationStatus;
};

/** An invitation's row as the API returns it. */
export const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: row.email,
  role: row.role,
  expiresAt: row.expires_at,
  status: row.status,
});

/** An invitation's row as anyone who holds its token sees it. */
export const toInvitationSeen = (
  row: Omit<InvitationRow, "id"> &
    Pick<InvitationSeen, "organizationName" | "organizationSlug"> & { inviterName: string | null },
): InvitationSeen => ({
  organizationName: row.organizationName,
  organizationSlug: row.organizationSlug,
  inviterName: row.inviterName ?? "",
  email: row.email,
  role: row.role,
  expiresAt: row.expires_at,
  status: row.status,
});

/** The error for a caller who presents a token. The message must not repeat the token. */
export const invitationNotFound = () =>
  new GroveError("NOT_FOUND", "There is no such invitation. Check the link, or ask for another.");

export const openInvitationNotFound = (id: string) =>
  new GroveError("NOT_FOUND", `There is no open invitation ${id}.`);

/** An audit event's row as the API returns it. */
export const toAuditEvent = (row: Selectable<AuditEventTable>): AuditEvent => ({
  id: row.id,
  actorId: row.actor_id,
  actorKind: row.actor_kind,
  action: row.action,
  targetType: row.target_type,
  targetId: row.target_id,
  metadata: row.metadata,
  createdAt: row.created_at,
});
