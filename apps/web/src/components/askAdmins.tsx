import type { Member } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { membersQuery } from "../lib/queries/membersQuery";
import { VisibleName } from "../ui/visibleName";

const MAX_NAMES = 3;

/** Lists the admins to ask for an action that members may not do: "Ask Ada or Bob." */
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

/** Returns the names of the owners and then the admins, without duplicates. */
function namesOf(members: readonly Pick<Member, "name" | "role">[]): string[] {
  const of = (role: Member["role"]) =>
    members.filter((member) => member.role === role).map(({ name }) => name);
  return [...new Set([...of("owner"), ...of("admin")])].slice(0, MAX_NAMES);
}
