import type { InPage } from "./script";

/** How a field takes what is typed. */
type FieldKind =
  /** Keys and inserted text. */
  | "text"
  /** As well, but a script holds the text: keys alone move its selection. */
  | "editor"
  /** One of its options is chosen. */
  | "select"
  /** A date, a colour, a number on a slider: its value is set. */
  | "value"
  | "file"
  /** Nothing can be typed here. */
  | "none";

export interface Field {
  readonly kind: FieldKind;
  readonly description: string;
  readonly ref: string;
  readonly readonly: boolean;
  /** Whether it is edited as a region of the page, in which line breaks are the editor's own matter. */
  readonly isRegion: boolean;
  /** Whether it has the focus, where keys are to come. */
  readonly hasFocus: boolean;
}

type Chosen = { readonly ok: true } | { readonly ok: false; readonly options: string[] };

export interface Editing {
  /**
   * The field that an element is, holds or labels, or that has the focus; undefined without any. What takes keys gets the
   * focus, and either all it holds is selected or the caret put at its end.
   */
  startTyping(ref: string | undefined, selectAll: boolean): Field | undefined;
  /** How many characters it holds now, where that can be seen. */
  lengthOf(ref: string): number | undefined;
  /** Inserts a long text where the caret is; false for what is edited by the browser alone. */
  insert(ref: string, text: string): boolean;
  choose(ref: string, wanted: string): Chosen;
  /** Sets the value of a date, colour or slider; false when it does not take it. */
  setValue(ref: string, value: string): boolean;
  element(ref: string): Element | undefined;
}

export function installEditing(page: InPage): void {
  const valued = /^(date|time|month|week|datetime-local|color|range)$/;

  const kindOf = (element: Element): FieldKind => {
    if (element.localName === "select") return "select";
    const { type } = element as HTMLInputElement;
    if (element.localName === "input" && type === "file") return "file";
    if (element.localName === "input" && valued.test(type)) return "value";
    if (page.isEditor(element)) return "editor";
    return page.isEditable(element) ? "text" : "none";
  };

  page.element = (ref) => page.byRef(ref);

  /** A wrapper stands for the only field in it that takes text; editors have another one, for reading alone. */
  const onlyFieldIn = (wrapper: Element): Element | undefined => {
    const inner: Element[] = [];
    page.walk(wrapper, (element) => {
      const parent = page.parentOf(element);
      if (kindOf(element) === "none" || (parent && kindOf(parent) === "text")) return;
      if (!(element as Partial<HTMLInputElement>).readOnly) inner.push(element);
    });
    const editors = inner.filter(page.isEditor);
    const [field, ...others] = editors.length > 0 ? editors : inner;
    return others.length === 0 ? field : undefined;
  };

  const fieldOf = (ref: string | undefined): Element | undefined => {
    if (ref === undefined && !document.hasFocus()) return undefined;
    const start = ref === undefined ? page.focused() : page.byRef(ref);
    if (!start) return undefined;
    let field = start;
    if (kindOf(start) === "none") {
      const control = start.localName === "label" ? (start as HTMLLabelElement).control : null;
      field = control ?? (ref === undefined ? start : (onlyFieldIn(start) ?? start));
    }
    return field;
  };

  page.startTyping = (ref, selectAll) => {
    const field = fieldOf(ref);
    if (!field) return undefined;
    const kind = kindOf(field);
    const { readOnly = false } = field as Partial<HTMLInputElement>;
    const takesKeys = (kind === "text" || kind === "editor") && !readOnly;
    const hasFocus = takesKeys && focus(field);
    // An editor's own keys move its selection.
    if (hasFocus && kind === "text") select(field, selectAll);
    return {
      kind,
      description: page.describe(field),
      ref: page.refOf(field),
      readonly: readOnly,
      isRegion: takesKeys && !isInput(field),
      hasFocus,
    };
  };

  /** What is edited, and has the focus, is the whole region, also when a paragraph in it is meant. */
  const hostOf = (element: HTMLElement): HTMLElement => {
    let host = element;
    while (host.isContentEditable && host.parentElement?.isContentEditable) host = host.parentElement;
    return host;
  };

  const focus = (meant: Element): boolean => {
    const element = hostOf(meant as HTMLElement);
    const has = () => {
      const focused = page.focused();
      return (
        focused !== undefined &&
        (page.contains(element, focused) || page.contains(focused, element)) &&
        focused.localName !== "body"
      );
    };
    if (!has()) element.focus();
    return has();
  };

  const isInput = (element: Element): boolean => /^(input|textarea)$/.test(element.localName);

  const select = (element: Element, all: boolean): void => {
    if (isInput(element)) {
      const field = element as HTMLInputElement;
      if (all) field.select();
      // Not all types of input have a selection; the caret is then where the page has put it.
      else if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
      return;
    }
    const selection = element.ownerDocument.getSelection();
    if (!selection) return;
    const host = hostOf(element as HTMLElement);
    selection.selectAllChildren(all ? host : element);
    if (!all) selection.collapseToEnd();
  };

  page.lengthOf = (ref) => {
    const element = page.byRef(ref);
    if (!element || page.isEditor(element)) return undefined;
    if (isInput(element)) return Array.from((element as HTMLInputElement).value).length;
    return Array.from(page.textOf(element)).length;
  };

  const changed = (element: Element) => {
    element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  };

  page.insert = (ref, text) => {
    const field = page.byRef(ref) as HTMLTextAreaElement | undefined;
    if (!field || !isInput(field) || field.selectionStart === null) return false;
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
        // Two that fit equally well are not guessed between.
        if (fits.length > 0) return least < 2 || fits.length === 1 ? fits[0] : undefined;
      }
      return undefined;
    });
    if (chosen.includes(undefined))
      return { ok: false, options: options.slice(0, 20).map((option) => page.cut(option.label, 60)) };
    for (const option of select.options) option.selected = chosen.includes(option);
    changed(select);
    return { ok: true };
  };

  page.setValue = (ref, value) => {
    const input = page.byRef(ref) as HTMLInputElement;
    const before = input.value;
    // The setter of the class, around whatever a framework has put on the element itself.
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
