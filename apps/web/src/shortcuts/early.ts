import { onKeys } from "../ui/inputMethod";

/** More keys than a person presses while a page loads. */
const MOST = 10;

const pressed: KeyboardEvent[] = [];
const keep = onKeys((event: KeyboardEvent) => {
  if (pressed.length < MOST) pressed.push(event);
});

/** Keeps the keys that are pressed from now on, until the code that handles them is there. */
export const keepEarlyKeys = (): void => document.addEventListener("keydown", keep);

/** The keys that were pressed before they could be handled. From now on, none is kept. */
export function takeEarlyKeys(): KeyboardEvent[] {
  document.removeEventListener("keydown", keep);
  return pressed.splice(0);
}
