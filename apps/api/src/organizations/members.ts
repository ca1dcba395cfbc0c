import {
  GroveError,
  recordAudit,
  requireMembership,
  revokeCredentials,
  type SessionPrincipal,
  type UserPrincipal,
} from "@grove/auth";
import { type Database, notification, type SettledCommand } from "@grove/db";
import type { Role } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { recordTasksChanged, unlinkTasks } from "../tasks/unlink";
import { memberNotFound } from "./row";

/** Roles by user id; the rows stay unchanged until the transaction ends. */
export type LockedMembers = ReadonlyMap<string, Role>;

/**
 * Locks all owners of an organization, and these members: rules that count owners hold only under these locks. Every
 * transaction locks memberships before their organization's row; otherwise two would wait for each other.
 */
export async function lockMembers(
  trx: Transaction<Database>,
  organizationId: string,
  userIds: string[],
): Promise<LockedMembers> {
  const rows = await trx
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("organization_id", "=", organizationId)
    .where((eb) => eb.or([eb("role", "=", "owner"), eb("user_id", "in", userIds)]))
    .orderBy("user_id")
    .forUpdate()
    .execute();
  return new Map(rows.map(({ user_id, role }) => [user_id, role]));
}

/**
 * Requires that the caller's current role allows changing this member. An admin may neither change an owner nor make
 * one.
 * @throws {GroveError} NOT_FOUND without that member; FORBIDDEN `not_a_member` or `role_required`
 */
export function requireMayChange(
  members: LockedMembers,
  caller: SessionPrincipal,
  organizationId: string,
  { userId, role }: { userId: string; role?: Role },
): void {
  const target = members.get(userId);
  requireRole(members, caller, organizationId, target === "owner" || role === "owner" ? "owner" : "admin");
  if (!target) throw memberNotFound(userId);
}

/**
 * Checks the caller's current role, under the lock: the guard saw an earlier one.
 * @throws {GroveError} FORBIDDEN `not_a_member` or `role_required`
 */
export function requireRole(
  members: LockedMembers,
  caller: UserPrincipal,
  organizationId: string,
  minRole: Role,
): void {
  const role = members.get(caller.user.id);
  const memberships = new Map(role && [[organizationId, role]]);
  requireMembership({ ...caller, memberships }, organizationId, minRole);
}

/**
 * Locks the caller's account, membership and credential until the transaction ends. So a transaction that ends one of
 * them later sees what this one wrote. The guard saw them earlier.
 * @throws {GroveError} FORBIDDEN `not_a_member` or `role_required`; UNAUTHORIZED when the credential has just ended
 */
export async function stayMember(
  trx: Transaction<Database>,
  caller: UserPrincipal,
  organizationId: string,
  minRole: Role = "member",
): Promise<void> {
  // Every transaction locks the user's row first. Disabling an account, or taking it over, changes that row.
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", caller.user.id)
    .where("disabled_at", "is", null)
    .forShare()
    .executeTakeFirst();
  const rows = await trx
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", caller.user.id)
    .forShare()
    .execute();
  const members = new Map(rows.map(({ user_id, role }) => [user_id, role]));
  requireRole(members, caller, organizationId, minRole);
  const credential =
    caller.kind === "session"
      ? trx.selectFrom("sessions").select("id").where("id", "=", caller.sessionId)
      : trx
          .selectFrom("api_keys")
          .select("id")
          .where("organization_id", "=", organizationId)
          .where("id", "=", caller.keyId)
          .where("revoked_at", "is", null);
  if (!user || !(await credential.forShare().executeTakeFirst()))
    throw new GroveError(
      "UNAUTHORIZED",
      "The credential of this request is no longer valid. Sign in again, or use another key.",
    );
}

/** @throws {GroveError} PRECONDITION_FAILED `last_owner` when this member is the only owner */
export function requireOtherOwner(members: LockedMembers, userId: string): void {
  const owners = [...members].filter(([, role]) => role === "owner").map(([id]) => id);
  if (owners.length === 1 && owners[0] === userId)
    throw new GroveError(
      "PRECONDITION_FAILED",
      "An organization needs at least one owner. Make another member its owner first, or delete it.",
      { reason: "last_owner" },
    );
}

/**
 * Ends a membership and what depends on it: keys and devices are revoked, and streams of sessions end, so that their
 * access is checked again.
 * @returns the commands that this ended
 */
export async function endMembership(
  trx: Transaction<Database>,
  caller: SessionPrincipal,
  membership: { organizationId: string; userId: string },
  action: "organization.removeMember" | "organization.leave",
): Promise<SettledCommand[]> {
  const { organizationId, userId } = membership;
  const settled = await revokeCredentials(trx, membership, { actor: caller, action });
  await announceRole(trx, membership);
  const unlinked = await unlinkTasks(trx, [organizationId], { assigneeId: userId });
  await trx
    .deleteFrom("memberships")
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .execute();
  await recordAudit(trx, caller, { organizationId, action, target: { type: "user", id: userId } });
  await recordTasksChanged(trx, unlinked);
  return settled;
}

interface Ended {
  /** The organizations that the user was a member of. */
  organizationIds: string[];
  /** The organizations whose tasks have changed, for recordTasksChanged. */
  unlinked: string[];
}

/** Ends all memberships of a user, whose row the caller has locked, and unassigns the user's tasks. */
export async function endMemberships(trx: Transaction<Database>, userId: string): Promise<Ended> {
  const memberships = await trx
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .orderBy("organization_id")
    .execute();
  const organizationIds = memberships.map((row) => row.organization_id);
  const unlinked = await unlinkTasks(trx, organizationIds, { assigneeId: userId });
  await trx.deleteFrom("memberships").where("user_id", "=", userId).execute();
  return { organizationIds, unlinked };
}

/** Makes streams and waiting calls of an organization's members check their roles again. */
export async function announceRoles(trx: Transaction<Database>, organizationId: string): Promise<void> {
  await trx
    .selectFrom("sessions")
    .select(notification("credential_revoked", sql<string>`id::text || ' role'`).as("announced"))
    .where("user_id", "in", (eb) =>
      eb.selectFrom("memberships").select("user_id").where("organization_id", "=", organizationId),
    )
    .execute();
}

/** Makes every stream and waiting call opened with the member's sessions and keys check the role again. */
export async function announceRole(
  trx: Transaction<Database>,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const announced = notification("credential_revoked", sql<string>`id::text || ' role'`).as("announced");
  await trx.selectFrom("sessions").select(announced).where("user_id", "=", userId).execute();
  await trx
    .selectFrom("api_keys")
    .select(announced)
    .where("organization_id", "=", organizationId)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .execute();
}
