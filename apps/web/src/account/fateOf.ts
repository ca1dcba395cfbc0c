import type { Member, Role } from "@grove/schemas";

/**
 * The end of an organization for a person whose account is deleted: it goes, too, if the person is alone in it; it
 * stands in the way if the others would have no owner; otherwise it stays.
 */
export function fateOf(mine: Role, members: readonly Pick<Member, "role">[]): "goes" | "blocks" | "stays" {
  if (members.length === 1) return "goes";
  const owners = members.filter(({ role }) => role === "owner").length;
  return mine === "owner" && owners === 1 ? "blocks" : "stays";
}
