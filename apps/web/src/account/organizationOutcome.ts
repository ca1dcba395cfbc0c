import type { Member, Role } from "@grove/schemas";

/**
 * Returns what happens to an organization when a member's account is deleted. An organization without other members is
 * deleted. One whose other members would have no owner blocks the deletion of the account.
 */
export function organizationOutcome(
  ownRole: Role,
  members: readonly Pick<Member, "role">[],
): "deleted" | "blocking" | "kept" {
  if (members.length === 1) return "deleted";
  const owners = members.filter(({ role }) => role === "owner").length;
  return ownRole === "owner" && owners === 1 ? "blocking" : "kept";
}
