import type { Member } from "@grove/schemas";

/** The people who may read a session's output, apart from org-admins. */
interface Readers {
  startedBy: string | null;
  deviceOwner: string | undefined;
}

/** More names are no help. */
const MOST = 5;

/** The people who could show a session's output, as an end of a sentence: "Ada (started it) or Bob (admin)". */
export function whomToAsk(members: readonly Member[], { startedBy, deviceOwner }: Readers): string {
  const words = members.flatMap(({ userId, name, role }) => {
    if (userId === startedBy) return [{ rank: 0, text: `${name} (started it)` }];
    if (userId === deviceOwner) return [{ rank: 1, text: `${name} (owns the machine)` }];
    return role === "member" ? [] : [{ rank: 2, text: `${name} (${role})` }];
  });
  const texts = words.toSorted((a, b) => a.rank - b.rank).map(({ text }) => text);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(texts.slice(0, MOST));
}
