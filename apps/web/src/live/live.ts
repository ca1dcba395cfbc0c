import { queries, queryClient, signOutKey } from "../lib/api";
import { storedToken } from "../lib/sessionToken";
import { connection } from "./connection";
import type { News } from "./messages";
import { Patches } from "./patches";
import { setLiveStatus } from "./status";
import { applyTaskChange, readTasksAgain } from "./tasks";

/** While the stream is broken, what is on the screen is asked for this often. */
const BROKEN_READ_MS = 10_000;

let organizationId: string | undefined;
let firstVersion: string | undefined;
let reading: ReturnType<typeof setInterval> | undefined;
const patches = new Patches(queryClient);

connection.onNews = (message: News): void => {
  if (organizationId === undefined) return;
  switch (message.type) {
    case "change":
      if (message.change.type === "task") applyTaskChange(organizationId, message.change.event);
      else patches.apply(organizationId, message.change);
      break;
    case "ready":
      firstVersion ??= message.version;
      setLiveStatus({ updated: message.version !== firstVersion });
      patches.readAgain();
      if (message.missed) readTasksAgain(organizationId);
      break;
    case "refused":
      readAll();
      // A page may show nothing that is read. A session that has ended leads to the sign-in.
      queryClient
        .fetchQuery({ ...queries.organization.list.queryOptions(), staleTime: 0 })
        .catch(() => undefined);
      break;
    case "state":
      onState(message);
  }
};

function readAll(): void {
  patches.readAgain();
  if (organizationId !== undefined) readTasksAgain(organizationId);
}

function onState({ brokenSince, isSilent }: Extract<News, { type: "state" }>): void {
  setLiveStatus({ brokenSince, isSilent });
  clearInterval(reading);
  reading = brokenSince === null ? undefined : setInterval(readIfVisible, BROKEN_READ_MS);
}

function readIfVisible(): void {
  if (document.visibilityState === "visible") readAll();
}

/** The changes that end the person's membership, the organization, or the session. */
const leavings = [
  queries.organization.leave.mutationKey(),
  queries.organization.delete.mutationKey(),
  signOutKey,
];
const isLeaving = () => leavings.some((mutationKey) => queryClient.isMutating({ mutationKey }) > 0);

/**
 * Keeps what is on the screen about an organization as it is, until the returned function is called. While the person
 * leaves it, or signs out, nothing is followed: the stream would be refused before the page is left, and everything on
 * the screen be asked for in vain.
 */
export function lookAt(look: { organizationId: string; userId: string }): () => void {
  let isFollowed = false;
  const follow = (is: boolean) => {
    isFollowed = is;
    organizationId = is ? look.organizationId : undefined;
    connection.look(is ? { ...look, token: storedToken() } : undefined);
  };
  follow(!isLeaving());
  const end = queryClient.getMutationCache().subscribe(() => {
    if (isFollowed === isLeaving()) follow(!isFollowed);
  });
  return () => {
    end();
    follow(false);
    clearInterval(reading);
    setLiveStatus({ brokenSince: undefined, isSilent: false });
  };
}
