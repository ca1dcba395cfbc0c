import type { Member } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { membersQuery } from "../lib/members";
import { VisibleName } from "../ui/visibleName";

/** The most people that are named. */
const MOST = 3;

/** Names those who may do what a plain member may not: "Ask Ada or Bob." */
export function AskAdmins() {
  const { id: organizationId } = useOrganization();
  const members = useQuery(membersQuery(organizationId)).data ?? [];
  return namesOf(members).map((name, at, { length }) => (
    <span key={name}>
      {at === 0 ? "Ask " : at === length - 1 ? " or " : ", "}
      <VisibleName className="font-medium">{name}</VisibleName>
      {at === length - 1 && "."}
    </span>
  ));
}

/** The owners' and admins' names, the owners first, without duplicates. */
function namesOf(members: readonly Pick<Member, "name" | "role">[]): string[] {
  const of = (role: Member["role"]) =>
    members.filter((member) => member.role === role).map(({ name }) => name);
  return [...new Set([...of("owner"), ...of("admin")])].slice(0, MOST);
}
