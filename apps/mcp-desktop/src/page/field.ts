import type { InPage } from "./script";

/** How a field accepts input. */
type FieldKind =
  /** By keys and inserted text. */
  | "text"
  /** Like "text", but a script holds the text, and only keys move the selection. */
  | "editor"
  /** By choosing one of its options. */
  | "select"
  /** By setting its value: a date, a colour, a number on a slider. */
  | "value"
  | "file"
  /** Nothing can be typed here. */
  | "none";

export interface Field {
  readonly kind: FieldKind;
  readonly description: string;
  readonly ref: string;
  readonly readonly: boolean;
  /** Whether it is a region of the page, whose editor decides how to treat a line break. */
  readonly isRegion: boolean;
  /** Whether its editor makes paragraphs only of Enter, and soft line breaks of inserted text. */
  readonly breaksByEnter: boolean;
  /** Whether the caret stays where it is, because a part of the text is selected. */
  readonly hasSelection: boolean;
  /** Whether it has the focus, which it needs to receive keys. */
  readonly hasFocus: boolean;
}

export interface Fields {
  /**
   * The field that an element is, contains or labels; without a ref, the focused one. Undefined if there is none. A
   * field that takes keys gets the focus; then everything in it is selected, or the caret is put at its end. Without a
   * ref, a selection stays.
   */
  startTyping(ref: string | undefined, selectAll: boolean): Field | undefined;
  /** Whether it is an input or a textarea, which hold their text themselves. */
  isInput(element: Element): boolean;
  /** Whether it only catches the keys of an editor, which shows the text elsewhere. */
  isKeyCatcher(element: Element): boolean;
}

export function installFields(page: InPage): void {
  const kindOf = (element: Element): FieldKind => {
    if (element.localName === "select") return "select";
    const { type } = element as HTMLInputElement;
    if (element.localName === "input" && type === "file") return "file";
    if (page.isSet(element)) return "value";
    if (page.isEditor(element) || page.isKeyCatcher(element)) return "editor";
    return page.isEditable(element) ? "text" : "none";
  };

  /** A hidden textarea only catches the keys of an editor that draws its text elsewhere. */
  page.isKeyCatcher = (element) => {
    // A terminal would pass on the keys that move an editor's selection.
    if (element.localName !== "textarea" || element.matches(".xterm-helper-textarea")) return false;
    const { width, height } = element.getBoundingClientRect();
    const around = element.parentElement?.getBoundingClientRect();
    return (
      Math.min(width, height, around?.height ?? height) <= 2 || getComputedStyle(element).opacity === "0"
    );
  };

  /** The only field in a wrapper that takes text. Read-only fields do not count: some editors have one in addition. */
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

  page.isInput = (element) => /^(input|textarea)$/.test(element.localName);

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
    // In an editor, keys move the selection.
    const hasSelection = hasFocus && ref === undefined && !selectAll && isSelectedIn(field);
    if (hasFocus && kind === "text" && !hasSelection) select(field, selectAll);
    return {
      kind,
      description: page.describe(field),
      ref: page.refOf(field),
      readonly: readOnly,
      isRegion: takesKeys && !page.isInput(field),
      breaksByEnter: takesKeys && field.closest(softEditors) !== null,
      hasSelection,
      hasFocus,
    };
  };

  /** Slate, Lexical and Draft.js. */
  const softEditors = "[data-slate-editor], [data-lexical-editor], .public-DraftEditor-content";

  /** Whether a part of a field's text is selected. */
  const isSelectedIn = (field: Element): boolean => {
    const { editContext } = field as { editContext?: { selectionStart: number; selectionEnd: number } };
    if (editContext) return editContext.selectionStart !== editContext.selectionEnd;
    if (page.isInput(field)) {
      const { selectionStart, selectionEnd } = field as HTMLInputElement;
      return selectionStart !== selectionEnd;
    }
    const root = field.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
    const selection = root.getSelection?.() ?? field.ownerDocument.getSelection();
    return selection?.type === "Range" && field.contains(selection.anchorNode);
  };

  /** The editing host, which is edited and focused as a whole, even if the element is a paragraph in it. */
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

  const select = (element: Element, all: boolean): void => {
    if (page.isInput(element)) {
      const field = element as HTMLInputElement;
      if (all) field.select();
      // Some types of input have no selection; the caret then stays where the page has put it.
      else if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
      return;
    }
    const selection = element.ownerDocument.getSelection();
    if (!selection) return;
    const host = hostOf(element as HTMLElement);
    selection.selectAllChildren(all ? host : element);
    if (!all) selection.collapseToEnd();
  };
}
