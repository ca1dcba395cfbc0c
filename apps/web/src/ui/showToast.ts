import { useSyncExternalStore } from "react";

export interface ToastContent {
  title: string;
  description?: string;
  /** A button, such as "Undo". */
  action?: { title: string; onSelect: () => void };
}

/** How long a toast is shown. */
export const SHOWN_MS = 10_000;

const changes = new EventTarget();
/** Toasts shown before `<ToastRegion>` was mounted. The first toast loads it. */
const queued = new Set<ToastContent>();
/** Shows a toast, and returns a function that closes it. */
type Show = (message: ToastContent) => () => void;
let show: Show | undefined;
const closeFunctions = new WeakMap<ToastContent, () => void>();
let hasToasts = false;

/**
 * Shows a toast. It stays while it is hovered or focused; F6 moves the focus to it.
 * @returns a function that closes it
 */
export function showToast(message: ToastContent): () => void {
  if (show) closeFunctions.set(message, show(message));
  else queued.add(message);
  hasToasts = true;
  changes.dispatchEvent(new Event("change"));
  return () => {
    queued.delete(message);
    closeFunctions.get(message)?.();
  };
}

/** Connects the component that renders toasts, and flushes queued ones. Returns a function that disconnects it. */
export function connectToasts(next: Show): () => void {
  show = next;
  for (const message of queued) closeFunctions.set(message, next(message));
  queued.clear();
  return () => {
    show = undefined;
  };
}

/** Whether any toast was shown, so that `<ToastRegion>` must be loaded. */
export const useHasToasts = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      changes.addEventListener("change", listener);
      return () => changes.removeEventListener("change", listener);
    },
    () => hasToasts,
  );
