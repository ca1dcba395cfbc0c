import { queries, queryClient, signOutKey } from "../lib/api";
import { storedToken } from "../lib/browser/sessionToken";
import { FALLBACK_POLL_MS } from "../lib/queries/pollIntervals";
import { applyTaskChange, refetchTasks } from "./applyTaskChange";
import { CacheUpdater } from "./cacheUpdater";
import { hubConnection } from "./hubConnection";
import type { StreamMessage } from "./hubMessages";
import { setLiveStatus } from "./liveStatus";

let organizationId: string | undefined;
let firstVersion: string | undefined;
let polling: ReturnType<typeof setInterval> | undefined;
const updater = new CacheUpdater(queryClient);

hubConnection.onStreamMessage = (message: StreamMessage): void => {
  if (organizationId === undefined) return;
  switch (message.type) {
    case "change":
      if (message.change.type === "task") applyTaskChange(organizationId, message.change.event);
      else updater.apply(organizationId, message.change);
      break;
    case "ready":
      firstVersion ??= message.version;
      setLiveStatus({ updated: message.version !== firstVersion });
      updater.refetchAll();
      if (message.missed) refetchTasks(organizationId);
      break;
    case "refused":
      refetchAll();
      // The page may have no query to refetch. This one fails if the session has ended, which opens the sign-in.
      queryClient
        .fetchQuery({ ...queries.organization.list.queryOptions(), staleTime: 0 })
        .catch(() => undefined);
      break;
    case "state":
      onState(message);
  }
};

function refetchAll(): void {
  updater.refetchAll();
  if (organizationId !== undefined) refetchTasks(organizationId);
}

function onState({ brokenSince, isSilent }: Extract<StreamMessage, { type: "state" }>): void {
  setLiveStatus({ brokenSince, isSilent });
  clearInterval(polling);
  polling = brokenSince === null ? undefined : setInterval(refetchIfVisible, FALLBACK_POLL_MS);
}

function refetchIfVisible(): void {
  if (document.visibilityState === "visible") refetchAll();
}

/** The mutations that end the user's membership, the organization, or the session. */
const leaveMutations = [
  queries.organization.leave.mutationKey(),
  queries.organization.delete.mutationKey(),
  queries.user.delete.mutationKey(),
  signOutKey,
];
const isLeaving = () => leaveMutations.some((mutationKey) => queryClient.isMutating({ mutationKey }) > 0);

/**
 * Applies an organization's live events to the query cache. Following pauses while the user leaves the organization,
 * signs out or deletes the account: the API would refuse the stream before the page is left, and every query on it
 * would be refetched in vain.
 * @returns a function that stops following
 */
export function followOrganization(target: { organizationId: string; userId: string }): () => void {
  let isFollowed = false;
  const follow = (on: boolean) => {
    isFollowed = on;
    organizationId = on ? target.organizationId : undefined;
    hubConnection.subscribe(on ? { ...target, token: storedToken() } : undefined);
  };
  follow(!isLeaving());
  const end = queryClient.getMutationCache().subscribe(() => {
    if (isFollowed === isLeaving()) follow(!isFollowed);
  });
  return () => {
    end();
    follow(false);
    clearInterval(polling);
    setLiveStatus({ brokenSince: undefined, isSilent: false });
  };
}
