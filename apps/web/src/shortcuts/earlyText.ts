/** Keys that are pressed while typing a text, and do not end it. */
const WITHIN_TEXT = ["Shift", "Control", "Alt", "AltGraph", "CapsLock", "Dead", "Enter"];

/** Collects letters that were typed for a text field that is still loading, and types them once it has the focus. */
export class EarlyText {
  #letters: string[] = [];

  add(letter: string): void {
    this.#letters.push(letter);
  }

  /** Must be called for each key that is not added. A key that does something else discards the letters. */
  onOtherKey(key: string): void {
    if (key === "Backspace") this.#letters.pop();
    else if (!WITHIN_TEXT.includes(key)) this.discard();
  }

  discard(): void {
    this.#letters = [];
  }

  /** Must be called when a field gets the focus. */
  onFocus(field: Element): void {
    // In a microtask, because React focuses a field before it has attached the field's handlers.
    if (this.#letters.length > 0) queueMicrotask(() => this.#typeInto(field));
  }

  #typeInto(field: Element): void {
    if (document.activeElement !== field) return;
    // In contrast to a new value, it respects the selection and `maxLength`, and can be undone.
    document.execCommand("insertText", false, this.#letters.join(""));
    this.discard();
  }
}
