import type { Member } from "@grove/schemas";

type Ranked = Pick<Member, "userId" | "role">;

const onlyAdmins = "Only admins and owners can do this.";

/** Why this person may do nothing that admins do; undefined if the person may. */
export const notAdmin = ({ role }: Pick<Member, "role">): string | undefined =>
  role === "member" ? onlyAdmins : undefined;

/** Why this person may not do what only owners do; undefined if the person may. */
export const notOwner = ({ role }: Pick<Member, "role">): string | undefined =>
  role === "owner" ? undefined : "Only owners can do this.";

/** Why the API would refuse that `me` changes the role of a member or removes the member; undefined if it would not. */
export function mayNotChange(me: Ranked, member: Ranked, all: readonly Ranked[]): string | undefined {
  if (me.role === "member") return onlyAdmins;
  if (member.role === "owner" && me.role !== "owner") return "Only owners can change an owner.";
  return isLastOwner(member, all) ? lastOwner : undefined;
}

/** Why a member cannot leave; undefined if nothing is in the way. */
export const mayNotLeave = (member: Ranked, all: readonly Ranked[]): string | undefined =>
  isLastOwner(member, all) ? lastOwner : undefined;

const lastOwner = "The only owner stays. Make another member an owner first.";

const isLastOwner = (member: Ranked, all: readonly Ranked[]) =>
  member.role === "owner" && !all.some(({ userId, role }) => role === "owner" && userId !== member.userId);
