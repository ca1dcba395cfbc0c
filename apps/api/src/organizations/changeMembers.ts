import { recordAudit, revokeInvitations, type SessionPrincipal } from "@grove/auth";
import type {
  OrganizationLeaveInput,
  OrganizationRemoveMemberInput,
  OrganizationUpdateMemberRoleInput,
  Success,
} from "@grove/schemas";
import type { Services } from "../services";
import { announceRole, endMembership, lockMembers, requireMayChange, requireOtherOwner } from "./members";

/**
 * Changes a member's role. Demoting someone to member revokes their pending invitations.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required`; PRECONDITION_FAILED `last_owner`
 */
export function updateMemberRole(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  { organizationId, userId, role }: OrganizationUpdateMemberRoleInput,
): Promise<Success> {
  return database.db.transaction().execute(async (trx) => {
    const members = await lockMembers(trx, organizationId, [principal.user.id, userId]);
    requireMayChange(members, principal, organizationId, { userId, role });
    if (role !== "owner") requireOtherOwner(members, userId);
    await trx
      .updateTable("memberships")
      .set({ role })
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", userId)
      .execute();
    await announceRole(trx, { organizationId, userId });
    const action = "organization.updateMemberRole";
    if (role === "member")
      await revokeInvitations(trx, { organizationId, userId }, { actor: principal, action });
    await recordAudit(trx, principal, {
      organizationId,
      action,
      target: { type: "user", id: userId },
      metadata: { from: members.get(userId), to: role },
    });
    return { success: true as const };
  });
}

/**
 * Ends another user's membership.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `role_required`; PRECONDITION_FAILED `last_owner`
 */
export async function removeMember(
  { database, metrics }: Pick<Services, "database" | "metrics">,
  principal: SessionPrincipal,
  { organizationId, userId }: OrganizationRemoveMemberInput,
): Promise<Success> {
  const settled = await database.db.transaction().execute(async (trx) => {
    const members = await lockMembers(trx, organizationId, [principal.user.id, userId]);
    requireMayChange(members, principal, organizationId, { userId });
    requireOtherOwner(members, userId);
    const membership = { organizationId, userId };
    return endMembership(trx, principal, membership, "organization.removeMember");
  });
  metrics?.settled(settled);
  return { success: true as const };
}

/**
 * Ends the caller's membership.
 * @throws {GroveError} PRECONDITION_FAILED `last_owner`
 */
export async function leaveOrganization(
  { database, metrics }: Pick<Services, "database" | "metrics">,
  principal: SessionPrincipal,
  { organizationId }: OrganizationLeaveInput,
): Promise<Success> {
  const settled = await database.db.transaction().execute(async (trx) => {
    const userId = principal.user.id;
    requireOtherOwner(await lockMembers(trx, organizationId, [userId]), userId);
    return endMembership(trx, principal, { organizationId, userId }, "organization.leave");
  });
  metrics?.settled(settled);
  return { success: true as const };
}
