import type { AgentRequest, AgentSession } from "@grove/schemas";

/**
 * Groups the requests that a user may read, oldest first: requests of the user's own sessions, requests of other
 * members' sessions, and requests that the user has snoozed.
 */
export function groupRequests(
  requests: readonly AgentRequest[],
  sessions: readonly AgentSession[],
  me: string,
): { own: AgentRequest[]; others: AgentRequest[]; snoozed: AgentRequest[] } {
  const ownSessions = new Set(sessions.filter(({ startedBy }) => startedBy === me).map(({ id }) => id));
  const sorted = requests.toSorted((a, b) => a.askedAt.localeCompare(b.askedAt) || a.id.localeCompare(b.id));
  return {
    own: sorted.filter((request) => ownSessions.has(request.sessionId) && !isSnoozed(request)),
    others: sorted.filter((request) => !ownSessions.has(request.sessionId) && !isSnoozed(request)),
    snoozed: sorted.filter(isSnoozed),
  };
}

/** Whether the user has snoozed an open request. The live stream reports when that ends. */
export const isSnoozed = ({ status, snoozedUntil }: AgentRequest): boolean =>
  status === "open" && snoozedUntil !== null;

/** Adds the latest items to those on the page, and updates them. An item that is no longer listed is kept unchanged. */
export function keepItems<Item extends { id: string }>(
  kept: readonly Item[],
  latest: readonly Item[],
): readonly Item[] {
  if (latest.every((item) => kept.includes(item))) return kept;
  return [...new Map([...kept, ...latest].map((item) => [item.id, item])).values()];
}

/** Ids of the sessions whose open requests can be answered, so that they need no other card. */
export const sessionsWithRequests = (requests: readonly AgentRequest[]): ReadonlySet<string> =>
  new Set(requests.filter(({ isAnswerable }) => isAnswerable).map(({ sessionId }) => sessionId));

/** Whether the current user may read the content of the request. */
export const isReadable = ({ title }: AgentRequest): boolean => title !== null;
