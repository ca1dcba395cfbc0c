import { onKeys } from "../ui/inputMethod";

/** More keys than a user presses while a page loads. */
const MAX_KEYS = 10;

const pressed: KeyboardEvent[] = [];
const keep = onKeys((event: KeyboardEvent) => {
  if (pressed.length < MAX_KEYS) pressed.push(event);
});

/** Queues key presses until the shortcut code has loaded. */
export const keepEarlyKeys = (): void => document.addEventListener("keydown", keep);

/** Returns the queued key presses, and stops queueing. */
export function takeEarlyKeys(): KeyboardEvent[] {
  document.removeEventListener("keydown", keep);
  return pressed.splice(0);
}
