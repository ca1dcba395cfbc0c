import type { Role } from "@grove/schemas";
import { roles } from "../lib/roles";
import { notOwner } from "./rights";

const isRole = (value: string): value is Role => Object.hasOwn(roles, value);
const ordered = Object.keys(roles).filter(isRole);

/** The role that a form has; the least one if it has none. */
export const roleOf = (value: string): Role => (isRole(value) ? value : "member");

/** The place of a role: 0 for the one with the most rights. */
export const rankOf = (role: Role): number => ordered.indexOf(role);

/** The roles that a person with the role `mine` may give to a member. */
export const roleOptions = (mine: Role) =>
  ordered.map((value) => ({
    value,
    ...roles[value],
    reason: value === "owner" ? notOwner({ role: mine }) : undefined,
  }));

/** The roles that an invitation may give, the least first: nobody is invited as an owner. */
export const invitedRoleOptions = (["member", "admin"] as const).map((value) => ({ value, ...roles[value] }));
