import { useSyncExternalStore } from "react";

export interface LiveStatus {
  /** Since when the stream is broken (milliseconds since 1970); null while it is open; undefined before it was. */
  brokenSince: number | null | undefined;
  /** Whether the stream is open and brings nothing, for example since a proxy gathers what it sends. */
  isSilent: boolean;
  /** Whether the server has another version than the one that this page began with. */
  updated: boolean;
}

let status: LiveStatus = { brokenSince: undefined, isSilent: false, updated: false };
const changes = new EventTarget();

export function setLiveStatus(change: Partial<LiveStatus>): void {
  status = { ...status, ...change };
  changes.dispatchEvent(new Event("change"));
}

/** Whether what is on the screen follows what happens. */
export const useLiveStatus = (): LiveStatus =>
  useSyncExternalStore(
    (listener) => {
      changes.addEventListener("change", listener);
      return () => changes.removeEventListener("change", listener);
    },
    () => status,
  );
