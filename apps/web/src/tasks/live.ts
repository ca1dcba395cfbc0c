import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { client } from "../app/api";
import { applyEvent, readAgain } from "./apply";

const AGAIN_MS = 5_000;

/**
 * Follows the organization's tasks while the page is visible. A browser has few connections for all tabs, so a hidden
 * tab holds none. It resumes where it stopped.
 * @returns whether what is on the screen follows
 */
export function useLiveTasks(organizationId: string): boolean {
  const isVisible = useVisible();
  const last = useRef<string>(undefined);
  const [isLive, setLive] = useState(true);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!isVisible) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isFirst = last.current === undefined;
    const subscription = client.task.watch.subscribe(
      { organizationId, ...(last.current !== undefined && { lastEventId: last.current }) },
      {
        onData: ({ id, data }) => {
          last.current = id;
          if (data.type !== "ready") return applyEvent(organizationId, data);
          setLive(true);
          // The lists were read before the stream began, so they may lack a change.
          if (isFirst || data.missed) readAgain(organizationId);
        },
        onConnectionStateChange: ({ state, error }) => {
          if (state === "connecting" && error) setLive(false);
        },
        onError: () => {
          setLive(false);
          // Where streams do not pass, this keeps the screen nearly right; and a session that ended is noticed.
          readAgain(organizationId);
          timer = setTimeout(() => setAttempt(attempt + 1), AGAIN_MS);
        },
      },
    );
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  }, [organizationId, isVisible, attempt]);
  return isLive;
}

const useVisible = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => document.visibilityState === "visible",
  );
