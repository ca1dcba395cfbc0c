import type { AgentSession } from "@grove/schemas";
import { useEffect, useRef, useSyncExternalStore } from "react";

/** Every visible tab holds this lock, shared with the others. */
const LOCK = "grove.visible";

const changes = new EventTarget();
const permission = (): NotificationPermission | "unsupported" =>
  "Notification" in window && "locks" in navigator ? Notification.permission : "unsupported";

/** Whether the browser shows notifications of this console. */
export const useNotificationPermission = () =>
  useSyncExternalStore((listener) => {
    changes.addEventListener("change", listener);
    return () => changes.removeEventListener("change", listener);
  }, permission);

/** Asks the person, by the browser's own question. */
export async function allowNotifications(): Promise<void> {
  await Notification.requestPermission();
  changes.dispatchEvent(new Event("change"));
}

/** The agents that ask now and did not before. Nothing is new in what the page begins with. */
export const begunSince = (
  before: ReadonlySet<string> | undefined,
  asking: readonly AgentSession[],
): AgentSession[] => (before ? asking.filter(({ id }) => !before.has(id)) : []);

/** Shows a notification for each agent that begins to ask while no tab of the console is visible. */
export function useNotifications(
  asking: readonly AgentSession[] | undefined,
  open: (id: string) => void,
): void {
  const before = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    if (!asking) return;
    const begun = begunSince(before.current, asking);
    before.current = new Set(asking.map(({ id }) => id));
    if (begun.length > 0) void notify(begun, open);
  }, [asking, open]);
  useEffect(holdWhileVisible, []);
}

async function notify(sessions: readonly AgentSession[], open: (id: string) => void): Promise<void> {
  if (permission() !== "granted") return;
  const { held = [] } = await navigator.locks.query();
  if (held.some(({ name }) => name === LOCK)) return;
  for (const { id, agent, asks } of sessions) {
    // Several tabs show one notification, since they give it the same tag.
    const shown = show(`${agent} asks`, { body: asks?.slice(-200) ?? "", tag: id });
    shown?.addEventListener("click", () => {
      window.focus();
      shown.close();
      open(id);
    });
  }
}

function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    // Browsers of telephones have the class, but refuse to make one.
    return undefined;
  }
}

/** Holds the lock of visible tabs for as long as this one is visible. */
function holdWhileVisible(): (() => void) | undefined {
  if (!("locks" in navigator)) return undefined;
  let release: (() => void) | undefined;
  const follow = () => {
    release?.();
    release = undefined;
    if (document.visibilityState !== "visible") return;
    const hidden = new Promise<void>((resolve) => {
      release = resolve;
    });
    void navigator.locks.request(LOCK, { mode: "shared" }, () => hidden);
  };
  follow();
  document.addEventListener("visibilitychange", follow);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    release?.();
  };
}
