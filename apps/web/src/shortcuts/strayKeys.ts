import { onKeys } from "../ui/inputMethod";
import { keysAreHeld } from "./holdKeys";

/** How long letters run no shortcuts after their text field was removed, and after each such letter. */
const STRAY_MS = 1_000;

/** Elements in which a letter is text. */
const EDITABLE =
  'input:not([type="checkbox"], [type="radio"], [type="button"], [type="submit"]), textarea, select, [contenteditable]';

/** Dialogs and menus, which get the focus a moment after they are rendered. Excludes toasts. */
const OVERLAY =
  ':is([role="dialog"], [role="alertdialog"], [role="menu"]):not([aria-modal="false"], [data-closed])';

/** Keys that leave a field on purpose. So does Enter on a link, a button or a list option. */
const LEAVING = ["Tab", "Escape", "F6"];

const PRESSED = 'a, button, [role="combobox"]';

const editableOf = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest(EDITABLE) : null;

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "target">;

/** Whether the key types a character. AltGr reports both Ctrl and Alt. */
const isPlain = ({ key, ctrlKey, altKey, metaKey }: Pressed): boolean =>
  [...key].length === 1 && ctrlKey === altKey && !metaKey;

/**
 * Detects letters that were meant for a text field that was just removed, or for a dialog that is still loading. A
 * field is removed without the user's action when its form closes, its page changes, or an error replaces it.
 */
class StrayKeys {
  readonly #isPageChanging: () => boolean;
  #field: Element | undefined;
  #isLeaving = false;
  #strayUntil = 0;
  /** The last key that was let through. */
  #passed: string | undefined;

  /** @param isPageChanging returns whether another page is loading */
  constructor(isPageChanging: () => boolean) {
    this.#isPageChanging = isPageChanging;
  }

  /** Must be called for each key press before any other handler. */
  onKey({ key, target }: Pick<KeyboardEvent, "key" | "target">): void {
    const presses = key === "Enter" && target instanceof Element && target.closest(PRESSED) !== null;
    if (presses || LEAVING.includes(key)) this.#leave();
    else this.#isLeaving = false;
  }

  /** Must be called when the user clicks, or navigates back or forward. */
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

  /** Whether a requested page or dialog is still loading. The key that requested it may be repeated. */
  #isEarly(key: string): boolean {
    const isWaiting = keysAreHeld() || this.#isPageChanging() || document.querySelector(OVERLAY) !== null;
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
    if (target instanceof Element && target.closest(OVERLAY)) return false;
    // Firefox fires no blur event for a removed field.
    const hasVanished = this.#field?.isConnected === false;
    this.#field = undefined;
    if (!hasVanished && at >= this.#strayUntil) return this.#isEarly(event.key);
    this.#strayUntil = at + STRAY_MS;
    return true;
  }
}

/** Stops stray keys before other handlers get them. Returns a function that ends this. */
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
