import type { InPage } from "./script";

type Chosen = { readonly ok: true } | { readonly ok: false; readonly options: string[] };

export interface Editing {
  /** The number of characters that it holds; undefined if that cannot be seen. */
  lengthOf(ref: string): number | undefined;
  /** Whether it holds a typed text, apart from spaces and line breaks; undefined if that cannot be seen. */
  holds(ref: string, text: string, isAll: boolean): boolean | undefined;
  /** Offers a text to the focused editor as a paste; false if it does not take it. */
  paste(ref: string, text: string): boolean;
  /** Whether a value is set in it, for which it need not be reachable by the pointer. */
  isSet(element: Element): boolean;
  /** Inserts a long text at the caret; false if only the browser can edit the element. */
  insert(ref: string, text: string): boolean;
  choose(ref: string, wanted: string): Chosen;
  /** Sets the value of a date, colour or slider; false if it does not accept it. */
  setValue(ref: string, value: string): boolean;
  element(ref: string): Element | undefined;
}

export function installEditing(page: InPage): void {
  page.element = (ref) => page.byRef(ref);

  page.lengthOf = (ref) => {
    const element = page.byRef(ref);
    if (!element || page.isEditor(element)) return undefined;
    if (page.isInput(element)) return Array.from((element as HTMLInputElement).value).length;
    return Array.from(page.textOf(element)).length;
  };

  page.holds = (ref, text, isAll) => {
    const element = page.byRef(ref);
    if (!element || page.isEditor(element) || page.isInput(element)) return undefined;
    const plain = (shown: string) => shown.replace(/[\s\u200b\u2060\ufeff]+/g, "");
    const held = plain(element.textContent ?? "");
    return isAll ? held === plain(text) : held.includes(plain(text));
  };

  page.paste = (ref, text) => {
    const element = page.byRef(ref);
    if (!element) return false;
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    return !element.dispatchEvent(
      new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData }),
    );
  };

  page.isSet = (element) =>
    element.localName === "input" &&
    /^(date|time|month|week|datetime-local|color|range)$/.test((element as HTMLInputElement).type);

  const changed = (element: Element) => {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };

  page.insert = (ref, text) => {
    const field = page.byRef(ref) as HTMLTextAreaElement | undefined;
    if (!field || !page.isInput(field) || field.selectionStart === null) return false;
    const { selectionStart, selectionEnd, maxLength, value } = field;
    const room = maxLength < 0 ? text.length : maxLength - value.length + (selectionEnd - selectionStart);
    field.setRangeText(text.slice(0, Math.max(0, room)), selectionStart, selectionEnd, "end");
    field.dispatchEvent(
      new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText", data: text }),
    );
    return true;
  };

  page.choose = (ref, wanted) => {
    const select = page.byRef(ref) as HTMLSelectElement;
    const options = [...select.options].filter(
      (option) => !option.disabled && !option.closest("optgroup:disabled"),
    );
    const labels = select.multiple ? wanted.split("\n").filter((line) => line !== "") : [wanted];
    const chosen = labels.map((label) => {
      for (let least = 0; least <= 3; least++) {
        const fits = options.filter(
          (option) =>
            page.rank(option.label, label, true) === least || (least === 0 && option.value === label),
        );
        // If two options match equally well, none is chosen.
        if (fits.length > 0) return least < 2 || fits.length === 1 ? fits[0] : undefined;
      }
      return undefined;
    });
    if (chosen.includes(undefined))
      return { ok: false, options: options.slice(0, 20).map((option) => page.cut(option.label, 60)) };
    select.focus();
    for (const option of select.options) option.selected = chosen.includes(option);
    changed(select);
    return { ok: true };
  };

  page.setValue = (ref, value) => {
    const input = page.byRef(ref) as HTMLInputElement;
    // A person would have to focus it, and pages check a field when it loses the focus.
    input.focus();
    const before = input.value;
    // The setter of the class bypasses one that a framework has put on the element itself.
    const view = input.ownerDocument.defaultView as (Window & typeof globalThis) | null;
    const setter = Object.getOwnPropertyDescriptor(view?.HTMLInputElement.prototype ?? {}, "value")?.set;
    setter?.call(input, value);
    const taken =
      input.value === value ||
      (input.type === "range" && Number(input.value) === Number(value)) ||
      (input.type === "color" && input.value === value.toLowerCase()) ||
      (value !== "" && input.value !== "" && /^(time|datetime-local)$/.test(input.type));
    if (!taken) setter?.call(input, before);
    else changed(input);
    return taken;
  };
}
