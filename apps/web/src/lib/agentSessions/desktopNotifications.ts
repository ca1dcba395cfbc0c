import type { AgentSession } from "@grove/schemas";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { isReported } from "./sessionActivity";
import { sessionName } from "./sessionName";

/** A shared lock that every visible tab holds. */
const LOCK = "grove.visible";

const changes = new EventTarget();
const permission = (): NotificationPermission | "unsupported" =>
  "Notification" in window && "locks" in navigator ? Notification.permission : "unsupported";

/** Returns the permission for desktop notifications, or `unsupported`. */
export const useNotificationPermission = () =>
  useSyncExternalStore((listener) => {
    changes.addEventListener("change", listener);
    return () => changes.removeEventListener("change", listener);
  }, permission);

/** Opens the browser's permission prompt. */
export async function allowNotifications(): Promise<void> {
  await Notification.requestPermission();
  changes.dispatchEvent(new Event("change"));
}

/**
 * Returns the sessions that have started to wait for input. `before` is undefined on the first load, which has none.
 */
export const newlyWaiting = (
  before: ReadonlySet<string> | undefined,
  waiting: readonly AgentSession[],
): AgentSession[] => (before ? waiting.filter(({ id }) => !before.has(id)) : []);

/** Shows a notification when an agent begins to wait for input while no tab of the console is visible. */
export function useNotifications(
  waiting: readonly AgentSession[] | undefined,
  open: (id: string) => void,
): void {
  const before = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!waiting) return;
    const newSessions = newlyWaiting(before.current, waiting);
    before.current = new Set(waiting.map(({ id }) => id));
    if (newSessions.length > 0) void notify(newSessions, open);
  }, [waiting, open]);
  useEffect(holdLockWhileVisible, []);
}

async function notify(sessions: readonly AgentSession[], open: (id: string) => void): Promise<void> {
  if (permission() !== "granted") return;
  const { held = [] } = await navigator.locks.query();
  if (held.some(({ name }) => name === LOCK)) return;
  for (const session of sessions) {
    const { id, questionText, activity } = session;
    // The tag keeps several tabs from showing the same notification.
    const notification = show(`${sessionName(session)} may need input`, {
      body: (activity && isReported(activity) && activity.detail) || (questionText?.slice(-200) ?? ""),
      tag: id,
    });
    notification?.addEventListener("click", () => {
      window.focus();
      notification.close();
      open(id);
    });
  }
}

function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    // Mobile browsers have the class, but its constructor throws.
    return undefined;
  }
}

/** Holds the lock while this tab is visible. */
function holdLockWhileVisible(): (() => void) | undefined {
  if (!("locks" in navigator)) return undefined;
  let release: (() => void) | undefined;
  const update = () => {
    release?.();
    release = undefined;
    if (document.visibilityState !== "visible") return;
    const untilHidden = new Promise<void>((resolve) => {
      release = resolve;
    });
    void navigator.locks.request(LOCK, { mode: "shared" }, () => untilHidden);
  };
  update();
  document.addEventListener("visibilitychange", update);
  return () => {
    document.removeEventListener("visibilitychange", update);
    release?.();
  };
}
