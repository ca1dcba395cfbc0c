import type { Member } from "@grove/schemas";

/** The people who may read a session's output, besides admins. */
interface Readers {
  startedBy: string | null;
  deviceOwner: string | undefined;
}

const MAX_NAMES = 5;

/** Lists the members who may read a session's output: "Ada (started it) or Bob (admin)". */
export function accessContacts(members: readonly Member[], { startedBy, deviceOwner }: Readers): string {
  const contacts = members.flatMap(({ userId, name, role }) => {
    if (userId === startedBy) return [{ rank: 0, text: `${name} (started it)` }];
    if (userId === deviceOwner) return [{ rank: 1, text: `${name} (owns the machine)` }];
    return role === "member" ? [] : [{ rank: 2, text: `${name} (${role})` }];
  });
  const texts = contacts.toSorted((a, b) => a.rank - b.rank).map(({ text }) => text);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(texts.slice(0, MAX_NAMES));
}
