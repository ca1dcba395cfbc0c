import { textOf } from "../accessibility/text";
import { isEditor, isInput, isTerminal } from "../dom/editable";
import { byRef } from "../dom/refs";
import { firstCharacters } from "../firstCharacters";
import { rankOf } from "../search/textMatch";

type Chosen = { readonly ok: true } | { readonly ok: false; readonly options: string[] };

/** Returns the number of characters in the field; undefined if it cannot be read. */
export const lengthOf = (ref: string): number | undefined => {
  const element = byRef(ref);
  if (!element || isEditor(element) || isTerminal(element)) return undefined;
  if (isInput(element)) return Array.from((element as HTMLInputElement).value).length;
  return Array.from(textOf(element)).length;
};

/** Whether the field holds a typed text, apart from spaces and line breaks; undefined if the content cannot be read. */
export const holdsText = (ref: string, text: string, isAll: boolean): boolean | undefined => {
  const element = byRef(ref);
  if (!element || isEditor(element) || isInput(element)) return undefined;
  const normalizeText = (shown: string) => shown.replace(/[\s\u200b\u2060\ufeff]+/g, "");
  const content = normalizeText(element.textContent ?? "");
  return isAll ? content === normalizeText(text) : content.includes(normalizeText(text));
};

/** Offers a text to the focused editor as a paste; false if it does not take it. */
export const paste = (ref: string, text: string): boolean => {
  const element = byRef(ref);
  if (!element) return false;
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  return !element.dispatchEvent(
    new ClipboardEvent("paste", { bubbles: true, cancelable: true, composed: true, clipboardData }),
  );
};

const changed = (element: Element) => {
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
};

/** Inserts a long text at the caret; false if only the browser can edit the element. */
export const insert = (ref: string, text: string): boolean => {
  const field = byRef(ref) as HTMLTextAreaElement | undefined;
  if (!field || !isInput(field) || field.selectionStart === null) return false;
  const { selectionStart, selectionEnd, maxLength, value } = field;
  const remaining = maxLength < 0 ? text.length : maxLength - value.length + (selectionEnd - selectionStart);
  field.setRangeText(text.slice(0, Math.max(0, remaining)), selectionStart, selectionEnd, "end");
  field.dispatchEvent(
    new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText", data: text }),
  );
  return true;
};

export const choose = (ref: string, wanted: string): Chosen => {
  const select = byRef(ref) as HTMLSelectElement;
  const options = [...select.options].filter(
    (option) => !option.disabled && !option.closest("optgroup:disabled"),
  );
  const labels = select.multiple ? wanted.split("\n").filter((line) => line !== "") : [wanted];
  const chosen = labels.map((label) => {
    for (let rank = 0; rank <= 3; rank++) {
      const fits = options.filter(
        (option) => rankOf(option.label, label, true) === rank || (rank === 0 && option.value === label),
      );
      // If two options match equally well, none is chosen.
      if (fits.length > 0) return rank < 2 || fits.length === 1 ? fits[0] : undefined;
    }
    return undefined;
  });
  if (chosen.includes(undefined))
    return { ok: false, options: options.slice(0, 20).map((option) => firstCharacters(option.label, 60)) };
  select.focus();
  for (const option of select.options) option.selected = chosen.includes(option);
  changed(select);
  return { ok: true };
};

/** Sets the value of a date, colour or slider; false if it does not accept it. */
export const setValue = (ref: string, value: string): boolean => {
  const input = byRef(ref) as HTMLInputElement;
  // As a user would: pages validate a field when it loses the focus.
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
