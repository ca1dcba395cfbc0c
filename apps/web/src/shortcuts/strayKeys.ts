import { onKeys } from "../ui/inputMethod";
import { keysAreHeld } from "./holdKeys";

/** How long letters run no shortcuts after the text field that got them has vanished, and after each such letter. */
const STRAY_MS = 1_000;

/** Where a letter is text. */
const EDITABLE =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable]';

/** Windows above the page. They get the focus a moment after they are drawn. A toast is no such window. */
const ABOVE =
  ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([aria-modal="false"], [data-closed])';

/** Keys with which a person leaves a field on purpose, as with Enter on a link, a button or a choice of a list. */
const LEAVING = ["Tab", "Escape", "F6"];

const PRESSED = 'a, button, [role="combobox"]';

const editableOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(EDITABLE) : null;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "target">;

/** Whether the key types a character. AltGr reports Ctrl and Alt. */
const isPlain = ({ key, ctrlKey, altKey, metaKey }: Pressed): boolean =>
  [...key].length === 1 && ctrlKey === altKey && !metaKey;

/**
 * Finds letters that were typed for a text field which has vanished, or for a window which is not there yet. A field
 * vanishes if it loses the focus by itself: its form closes, its page is left, a terminal is replaced by an error.
 */
class StrayKeys {
  readonly #isPageChanging: () => boolean;
  #field: Element | undefined;
  #isLeaving = false;
  #strayUntil = 0;
  /** The last key that was passed on. */
  #passed: string | undefined;

  /** @param isPageChanging whether another page is still loading */
  constructor(isPageChanging: () => boolean) {
    this.#isPageChanging = isPageChanging;
  }

  /** A person has pressed a key, before anything handles it. */
  onKey({ key, target }: Pick<KeyboardEvent, "key" | "target">): void {
    const presses = key === "Enter" && target instanceof Element && target.closest(PRESSED) !== null;
    if (presses || LEAVING.includes(key)) this.#leave();
    else this.#isLeaving = false;
  }

  /** A person has clicked, or has gone back or forward in the browser. */
  onLeave(): void {
    this.#leave();
  }

  onFocus(target: EventTarget | null): void {
    const field = editableOf(target);
    if (field) this.#field = field;
  }

  /** @param at the time in milliseconds */
  onBlur(target: EventTarget | null, at: number): void {
    if (!editableOf(target)) return;
    this.#field = undefined;
    if (!this.#isLeaving) this.#strayUntil = at + STRAY_MS;
  }

  /** Whether a page or a window that was asked for is not there yet. The key that asks for it may be repeated. */
  #isEarly(key: string): boolean {
    const isWaiting = keysAreHeld() || this.#isPageChanging() || document.querySelector(ABOVE) !== null;
    const isEarly = isWaiting && key !== this.#passed;
    this.#passed = isEarly ? undefined : key;
    return isEarly;
  }

  #leave(): void {
    this.#isLeaving = true;
    this.#strayUntil = 0;
  }

  /**
   * @param at the time in milliseconds
   * @returns whether this key must run no shortcut
   */
  isStray(event: Pressed, at: number): boolean {
    const { target } = event;
    if (!isPlain(event) || editableOf(target)) return false;
    if (target instanceof Element && target.closest(ABOVE)) return false;
    // Firefox reports no blur for a field that is removed.
    const hasVanished = this.#field?.isConnected === false;
    this.#field = undefined;
    if (!hasVanished && at >= this.#strayUntil) return this.#isEarly(event.key);
    this.#strayUntil = at + STRAY_MS;
    return true;
  }
}

/** Stops stray keys before any handler gets them, until the returned function is called. */
export function stopStrayKeys(isPageChanging: () => boolean): () => void {
  const stray = new StrayKeys(isPageChanging);
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  stray.onFocus(document.activeElement);
  addEventListener("pointerdown", () => stray.onLeave(), options);
  addEventListener("popstate", () => stray.onLeave(), options);
  addEventListener("focusin", ({ target }) => stray.onFocus(target), options);
  addEventListener("focusout", ({ target, timeStamp }) => stray.onBlur(target, timeStamp), options);
  addEventListener(
    "keydown",
    onKeys((event: KeyboardEvent) => {
      stray.onKey(event);
      if (!stray.isStray(event, event.timeStamp)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    }),
    options,
  );
  return () => controller.abort();
}
