import { useSyncExternalStore } from "react";

export interface Message {
  title: string;
  description?: string;
  /** A button, such as the one that takes the change back. */
  action?: { title: string; onSelect: () => void };
}

const changes = new EventTarget();
/** Messages from before their place was there. It is loaded with the first one. */
const waiting = new Set<Message>();
/** Shows a message, and returns what takes it away. */
type Show = (message: Message) => () => void;
let show: Show | undefined;
const shown = new WeakMap<Message, () => void>();
let said = false;

/**
 * Says at the edge of the page what has happened. Nothing disappears under the pointer or the focus; F6 goes there.
 * @returns a function that takes the message away
 */
export function say(message: Message): () => void {
  if (show) shown.set(message, show(message));
  else waiting.add(message);
  said = true;
  changes.dispatchEvent(new Event("change"));
  return () => {
    waiting.delete(message);
    shown.get(message)?.();
  };
}

/** Shows messages from now on, also those that have waited. Returns what ends this. */
export function showMessages(next: Show): () => void {
  show = next;
  for (const message of waiting) shown.set(message, next(message));
  waiting.clear();
  return () => {
    show = undefined;
  };
}

/** Whether there was a message. */
export const useSaid = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      changes.addEventListener("change", listener);
      return () => changes.removeEventListener("change", listener);
    },
    () => said,
  );
