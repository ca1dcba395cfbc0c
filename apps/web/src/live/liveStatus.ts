import { useSyncExternalStore } from "react";

export interface LiveStatus {
  /** When the stream broke (milliseconds since 1970); null while it is open; undefined before the first connection. */
  brokenSince: number | null | undefined;
  /** Whether the stream is open but no event arrives, for example because a proxy buffers the response. */
  isSilent: boolean;
  /** Whether the server's version has changed since the page was loaded. */
  updated: boolean;
}

let status: LiveStatus = { brokenSince: undefined, isSilent: false, updated: false };
const changes = new EventTarget();

export function setLiveStatus(change: Partial<LiveStatus>): void {
  status = { ...status, ...change };
  changes.dispatchEvent(new Event("change"));
}

export const useLiveStatus = (): LiveStatus =>
  useSyncExternalStore(
    (listener) => {
      changes.addEventListener("change", listener);
      return () => changes.removeEventListener("change", listener);
    },
    () => status,
  );
