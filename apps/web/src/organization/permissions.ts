import type { Member } from "@grove/schemas";

type Ranked = Pick<Member, "userId" | "role">;

const onlyAdmins = "Only admins and owners can do this.";

/** Returns why a user lacks the rights of an admin; undefined for an admin. */
export const whyNotAdmin = ({ role }: Pick<Member, "role">): string | undefined =>
  role === "member" ? onlyAdmins : undefined;

/** Returns why a user may not do what owners may; undefined if the user may. */
export const whyNotOwner = ({ role }: Pick<Member, "role">): string | undefined =>
  role === "owner" ? undefined : "Only owners can do this.";

/**
 * Returns why `me` may not remove a member or change the member's role; undefined if `me` may. The API has the same
 * rules.
 */
export function whyCannotChange(me: Ranked, member: Ranked, all: readonly Ranked[]): string | undefined {
  if (me.role === "member") return onlyAdmins;
  if (member.role === "owner" && me.role !== "owner") return "Only owners can change an owner.";
  return isLastOwner(member, all) ? lastOwner : undefined;
}

/** Returns why a member cannot leave; undefined if the member can. */
export const whyCannotLeave = (member: Ranked, all: readonly Ranked[]): string | undefined =>
  isLastOwner(member, all) ? lastOwner : undefined;

const lastOwner = "An organization needs an owner. Make another member an owner first.";

const isLastOwner = (member: Ranked, all: readonly Ranked[]) =>
  member.role === "owner" && !all.some(({ userId, role }) => role === "owner" && userId !== member.userId);
