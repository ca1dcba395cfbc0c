import type { Shortcut } from "./useShortcuts";

/** The maximum pause between the two keys of a sequence. */
const SEQUENCE_TIMEOUT_MS = 1_500;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/**
 * Returns the name of a key press: "n", "?" or "mod+k". Undefined with other modifiers, which belong to the browser.
 * @param isMac whether "mod" is ⌘ instead of Ctrl
 */
export function keyName({ key, ctrlKey, metaKey, altKey }: Pressed, isMac: boolean): string | undefined {
  if (key.length !== 1) return undefined;
  const [mod, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (mod && !other && !altKey) return `mod+${key.toLowerCase()}`;
  // AltGr, which reports Ctrl and Alt, types characters such as "/" on some keyboards.
  if (ctrlKey !== altKey || metaKey) return undefined;
  return key === " " ? undefined : key;
}

/** Finds the shortcut of a key press or of a sequence of two keys. */
export class KeySequence {
  #first: { name: string; at: number } | undefined;

  /**
   * @param at the time in milliseconds
   * @returns "pending" after the first key of a sequence
   */
  find(name: string, at: number, shortcuts: readonly Shortcut[]): Shortcut | "pending" | undefined {
    const first = this.#first;
    this.#first = undefined;
    const runs = shortcuts.filter(({ run }) => run);
    if (first && at - first.at < SEQUENCE_TIMEOUT_MS) {
      const both = runs.find(({ keys }) => keys === `${first.name} ${name}`);
      if (both) return both;
    }
    if (runs.some(({ keys }) => keys.startsWith(`${name} `))) {
      this.#first = { name, at };
      return "pending";
    }
    return runs.find(({ keys }) => keys === name);
  }
}
