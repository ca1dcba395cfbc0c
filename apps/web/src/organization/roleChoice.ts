import type { Role } from "@grove/schemas";
import { roleLabels } from "../lib/roleLabels";
import { whyNotOwner } from "./permissions";

const isRole = (value: string): value is Role => Object.hasOwn(roleLabels, value);
const ordered = Object.keys(roleLabels).filter(isRole);

/** Parses a role. Returns the one with the fewest rights if it is unknown. */
export const roleOf = (value: string): Role => (isRole(value) ? value : "member");

/** Returns the rank of a role: 0 for the one with the most rights. */
export const rankOf = (role: Role): number => ordered.indexOf(role);

/** Returns the roles to choose from, with those that a user with the role `mine` may not grant disabled. */
export const roleOptions = (mine: Role) =>
  ordered.map((value) => ({
    value,
    ...roleLabels[value],
    reason: value === "owner" ? whyNotOwner({ role: mine }) : undefined,
  }));

/** The roles that an invitation may grant, fewest rights first. The API allows no invitations as owner. */
export const invitedRoleOptions = (["member", "admin"] as const).map((value) => ({
  value,
  ...roleLabels[value],
}));
