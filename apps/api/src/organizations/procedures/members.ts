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
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { leaveOrganization, removeMember, updateMemberRole } from "../changeMembers";
import { listMembers } from "../listMembers";

export const memberProcedures = {
  /** Members, newest first; `after` is a userId. */
  listMembers: memberProcedure(organizationListMembersInput)
    .output(output(z.array(member)))
    .query(({ ctx, input }) => listMembers(ctx.services, input)),

  /**
   * Gives a member another role. Only an owner can change an owner or make one: FORBIDDEN `role_required`. The last
   * owner stays one: PRECONDITION_FAILED `last_owner`. Someone who becomes a plain member loses their open invitations.
   */
  updateMemberRole: memberSessionProcedure(organizationUpdateMemberRoleInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => updateMemberRole(ctx.services, ctx.principal, input)),

  /**
   * Removes a member with their keys, devices and open invitations here. Only an owner can remove an owner: FORBIDDEN
   * `role_required`. The last owner cannot be removed: PRECONDITION_FAILED `last_owner`.
   */
  removeMember: memberSessionProcedure(organizationRemoveMemberInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => removeMember(ctx.services, ctx.principal, input)),

  /**
   * Ends the caller's membership, with their keys, devices and open invitations here. The last owner cannot leave:
   * PRECONDITION_FAILED `last_owner`.
   */
  leave: memberSessionProcedure(organizationLeaveInput)
    .output(output(success))
    .mutation(({ ctx, input }) => leaveOrganization(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
