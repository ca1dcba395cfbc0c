import { recordAudit, revokeInvitations } from "@grove/auth";
import {
  member,
  organizationLeaveInput,
  organizationListMembersInput,
  organizationRemoveMemberInput,
  organizationUpdateMemberRoleInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { newestFirst } from "../../lib/pagination";
import { countSettled } from "../../metrics/metrics";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { announceRole, endMembership, lockMembers, requireMayChange, requireOtherOwner } from "../members";
import { toMember } from "../row";

export const memberProcedures = {
  /** Members, newest first; `after` is a userId. */
  listMembers: memberProcedure(organizationListMembersInput)
    .output(output(z.array(member)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      const query = db
        .selectFrom("memberships")
        .innerJoin("users", "users.id", "memberships.user_id")
        .select(["user_id", "name", "email", "image", "role", "memberships.created_at"])
        .where("memberships.organization_id", "=", input.organizationId);
      return (await newestFirst(db, "memberships", query, input)).map(toMember);
    }),

  /**
   * Gives a member another role. Only an owner can change an owner or make one: FORBIDDEN `role_required`. The last
   * owner stays one: PRECONDITION_FAILED `last_owner`. Someone who becomes a plain member loses their open invitations.
   */
  updateMemberRole: memberSessionProcedure(organizationUpdateMemberRoleInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input: { organizationId, userId, role } }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const members = await lockMembers(trx, organizationId, [ctx.principal.user.id, userId]);
        requireMayChange(members, ctx.principal, organizationId, { userId, role });
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
          await revokeInvitations(trx, { organizationId, userId }, { actor: ctx.principal, action });
        await recordAudit(trx, ctx.principal, {
          organizationId,
          action,
          target: { type: "user", id: userId },
          metadata: { from: members.get(userId), to: role },
        });
        return { success: true as const };
      }),
    ),

  /**
   * Removes a member with their keys, devices and open invitations here. Only an owner can remove an owner: FORBIDDEN
   * `role_required`. The last owner cannot be removed: PRECONDITION_FAILED `last_owner`.
   */
  removeMember: memberSessionProcedure(organizationRemoveMemberInput, "admin")
    .output(output(success))
    .mutation(async ({ ctx, input: { organizationId, userId } }) => {
      const settled = await ctx.services.database.db.transaction().execute(async (trx) => {
        const members = await lockMembers(trx, organizationId, [ctx.principal.user.id, userId]);
        requireMayChange(members, ctx.principal, organizationId, { userId });
        requireOtherOwner(members, userId);
        const membership = { organizationId, userId };
        return endMembership(trx, ctx.principal, membership, "organization.removeMember");
      });
      countSettled(ctx.services, settled);
      return { success: true as const };
    }),

  /**
   * Ends the caller's membership, with their keys, devices and open invitations here. The last owner cannot leave:
   * PRECONDITION_FAILED `last_owner`.
   */
  leave: memberSessionProcedure(organizationLeaveInput)
    .output(output(success))
    .mutation(async ({ ctx, input: { organizationId } }) => {
      const settled = await ctx.services.database.db.transaction().execute(async (trx) => {
        const userId = ctx.principal.user.id;
        requireOtherOwner(await lockMembers(trx, organizationId, [userId]), userId);
        return endMembership(trx, ctx.principal, { organizationId, userId }, "organization.leave");
      });
      countSettled(ctx.services, settled);
      return { success: true as const };
    }),
} satisfies TRPCRouterRecord;
