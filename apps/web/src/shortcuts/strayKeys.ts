import { onKeys } from "../ui/inputMethod";
import { EarlyText } from "./earlyText";
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

/** Whether the find bar of a terminal with the focus is still loading. */
const isLeavingTerminal = (target: EventTarget | null): boolean =>
  keysAreHeld("findBar") && target instanceof Element && target.closest(".xterm") !== null;

const takesText = (target: EventTarget | null): boolean =>
  !isLeavingTerminal(target) &&
  (editableOf(target) !== null || (target instanceof Element && target.closest(OVERLAY) !== null));

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "altKey" | "metaKey" | "repeat" | "target">;

/** Whether the key types a character. AltGr reports both Ctrl and Alt. */
const isPlain = ({ key, ctrlKey, altKey, metaKey }: Pressed): boolean =>
  [...key].length === 1 && ctrlKey === altKey && !metaKey;

/**
 * Detects letters that were meant for a text field that was just removed, or for a dialog that is still loading. The
 * letters for a loading dialog are inserted into its text field. A field is removed without the user's action when its
 * form closes, its page changes, or an error replaces it.
 */
class StrayKeys {
  readonly #isPageChanging: () => boolean;
  readonly #early = new EarlyText();
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
    this.#early.onFocus(target);
  }

  /** @param at the time in milliseconds */
  onBlur(target: EventTarget | null, at: number): void {
    if (!editableOf(target)) return;
    this.#field = undefined;
    if (!this.#isLeaving) this.#strayUntil = at + STRAY_MS;
  }

  /** Whether a requested page or dialog is still loading. The key that requested a page may be repeated. */
  #isEarly({ key, repeat }: Pressed): boolean {
    const isFieldLoading =
      keysAreHeld("field") || keysAreHeld("findBar") || document.querySelector(OVERLAY) !== null;
    const isWaiting = isFieldLoading || keysAreHeld("terminal") || this.#isPageChanging();
    const isEarly = isFieldLoading || (isWaiting && key !== this.#passed);
    this.#passed = isEarly ? undefined : key;
    if (isEarly && !repeat) this.#early.add(key);
    return isEarly;
  }

  #leave(): void {
    this.#isLeaving = true;
    this.#strayUntil = 0;
    this.#early.discard();
  }

  /**
   * @param at the time in milliseconds
   * @returns whether this key must have no effect where the focus is
   */
  isStray(event: Pressed, at: number): boolean {
    const isLetter = isPlain(event) && !takesText(event.target) && this.#isMeantForField(event, at);
    if (!isLetter) this.#early.onOtherKey(event.key);
    // Backspace corrects the letters, and Enter would confirm something else.
    return isLetter || (["Backspace", "Enter"].includes(event.key) && isLeavingTerminal(event.target));
  }

  #isMeantForField(event: Pressed, at: number): boolean {
    // Firefox fires no blur event for a removed field.
    const hasVanished = this.#field?.isConnected === false;
    this.#field = undefined;
    if (!hasVanished && at >= this.#strayUntil) return this.#isEarly(event);
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
