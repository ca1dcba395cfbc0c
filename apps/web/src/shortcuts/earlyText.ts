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

  /** Must be called for each element that gets the focus. */
  onFocus(target: EventTarget | null): void {
    // Runs in a microtask, because React focuses a field before it attaches the field's handlers.
    if (this.#letters.length > 0 && isTextField(target)) queueMicrotask(() => this.#typeInto(target));
  }

  #typeInto(field: TextField): void {
    if (document.activeElement !== field) return;
    const { value, maxLength, selectionStart, selectionEnd } = field;
    const start = selectionStart ?? value.length;
    const end = selectionEnd ?? value.length;
    const text = this.#letters.join("");
    this.discard();
    const room = maxLength < 0 ? text.length : maxLength - value.length + end - start;
    const data = text.slice(0, Math.max(room, 0));
    field.setRangeText(data, start, end, "end");
    field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data }));
  }
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Whether an element takes text anywhere, in contrast to a date or a number. The terminal types nothing by itself. */
const isTextField = (target: EventTarget | null): target is TextField =>
  (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) &&
  target.selectionStart !== null &&
  !target.readOnly &&
  target.closest(".xterm") === null;
