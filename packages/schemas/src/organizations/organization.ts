import * as z from "zod";
import { email, id, image, line, name, page, slug, timestamp } from "../values";

/** The roles of members, from the least rights to the most. */
export const roles = ["member", "admin", "owner"] as const;
export const role = z.enum(roles);
export type Role = z.infer<typeof role>;

export const organization = z.object({
  id,
  name: z.string(),
  slug: z.string(),
  image: z.string(),
  createdAt: timestamp,
  /** The caller's own role. */
  role,
});
export type Organization = z.infer<typeof organization>;

/** Part of the input of every procedure within an organization. */
export const organizationScope = { organizationId: id };

/** organization.create: the slug is derived from the name when omitted. */
export const organizationCreateInput = z.strictObject({ name, slug: slug.optional() });
export type OrganizationCreateInput = z.infer<typeof organizationCreateInput>;

export const organizationGetInput = z.object({ ...organizationScope });
export const organizationUpdateInput = z.strictObject({
  ...organizationScope,
  name: name.optional(),
  slug: slug.optional(),
  /** An https URL, or null for no image. */
  image: image.nullable().optional(),
});
export type OrganizationUpdateInput = z.infer<typeof organizationUpdateInput>;
/** `confirmSlug` must be the organization's slug, since a deletion cannot be undone. */
export const organizationDeleteInput = z.strictObject({ ...organizationScope, confirmSlug: line(80) });
export type OrganizationDeleteInput = z.infer<typeof organizationDeleteInput>;

export const member = z.object({
  userId: id,
  name: z.string(),
  email: z.string(),
  image: z.string(),
  role,
  joinedAt: timestamp,
});
export type Member = z.infer<typeof member>;

export const organizationListMembersInput = z.object({ ...organizationScope, ...page });
export type OrganizationListMembersInput = z.infer<typeof organizationListMembersInput>;
export const organizationUpdateMemberRoleInput = z.strictObject({ ...organizationScope, userId: id, role });
export type OrganizationUpdateMemberRoleInput = z.infer<typeof organizationUpdateMemberRoleInput>;
export const organizationRemoveMemberInput = z.strictObject({ ...organizationScope, userId: id });
export type OrganizationRemoveMemberInput = z.infer<typeof organizationRemoveMemberInput>;
export const organizationLeaveInput = z.strictObject({ ...organizationScope });
export type OrganizationLeaveInput = z.infer<typeof organizationLeaveInput>;

export const invitationStatus = z.enum(["pending", "accepted", "revoked", "expired"]);
export type InvitationStatus = z.infer<typeof invitationStatus>;

/** An invitation cannot grant ownership; only a member can become an owner. */
const invitedRole = role.exclude(["owner"]);

export const invitation = z.object({
  id,
  email: z.string(),
  role: invitedRole,
  expiresAt: timestamp,
  status: invitationStatus,
});
export type Invitation = z.infer<typeof invitation>;
/** `token` is shown only once. */
export const invitationCreated = invitation.extend({ token: z.string() });
/** The part of an invitation that anyone with its token may see. */
export const invitationSeen = invitation.omit({ id: true }).extend({
  organizationName: z.string(),
  organizationSlug: z.string(),
  /** "" if the inviter's account was deleted. */
  inviterName: z.string(),
});
export type InvitationSeen = z.infer<typeof invitationSeen>;

const invitationToken = z.string().max(200);
export const organizationInviteInput = z.strictObject({ ...organizationScope, email, role: invitedRole });
export type OrganizationInviteInput = z.infer<typeof organizationInviteInput>;
export const organizationListInvitationsInput = z.object({ ...organizationScope, ...page });
export type OrganizationListInvitationsInput = z.infer<typeof organizationListInvitationsInput>;
export const organizationRevokeInvitationInput = z.strictObject({ ...organizationScope, id });
export type OrganizationRevokeInvitationInput = z.infer<typeof organizationRevokeInvitationInput>;
export const organizationGetInvitationInput = z.object({ token: invitationToken });
export type OrganizationGetInvitationInput = z.infer<typeof organizationGetInvitationInput>;
export const organizationAcceptInvitationInput = z.strictObject({ token: invitationToken });
export type OrganizationAcceptInvitationInput = z.infer<typeof organizationAcceptInvitationInput>;

export const auditEvent = z.object({
  id,
  actorId: id.nullable(),
  actorKind: z.enum(["user", "api_key", "device", "system"]),
  /** `<router>.<procedure>`, or the name of another cause. */
  action: z.string(),
  targetType: z.string(),
  targetId: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  createdAt: timestamp,
});
export type AuditEvent = z.infer<typeof auditEvent>;
export const organizationListAuditEventsInput = z.object({
  ...organizationScope,
  ...page,
  action: line(100).optional(),
  /** The id of a user, an API key or a device. */
  actorId: id.optional(),
});
export type OrganizationListAuditEventsInput = z.infer<typeof organizationListAuditEventsInput>;
