import { useSyncExternalStore } from "react";

export interface Message {
  title: string;
  description?: string;
  /** A button, such as "Undo". */
  action?: { title: string; onSelect: () => void };
}

const changes = new EventTarget();
/** Toasts from before `<Toasts>` was mounted, which the first toast loads. */
const waiting = new Set<Message>();
/** Shows a toast, and returns a function that closes it. */
type Show = (message: Message) => () => void;
let show: Show | undefined;
const shown = new WeakMap<Message, () => void>();
let hasToasts = false;

/**
 * Shows a toast. It stays while it is hovered or focused; F6 moves the focus to it.
 * @returns a function that closes it
 */
export function showToast(message: Message): () => void {
  if (show) shown.set(message, show(message));
  else waiting.add(message);
  hasToasts = true;
  changes.dispatchEvent(new Event("change"));
  return () => {
    waiting.delete(message);
    shown.get(message)?.();
  };
}

/** Connects the component that renders toasts, and flushes queued ones. Returns a function that disconnects it. */
export function showMessages(next: Show): () => void {
  show = next;
  for (const message of waiting) shown.set(message, next(message));
  waiting.clear();
  return () => {
    show = undefined;
  };
}

/** Whether any toast was shown, so that `<Toasts>` must be loaded. */
export const useHasToasts = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      changes.addEventListener("change", listener);
      return () => changes.removeEventListener("change", listener);
    },
    () => hasToasts,
  );
