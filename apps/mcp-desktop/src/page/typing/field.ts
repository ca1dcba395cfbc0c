import { describe } from "../accessibility/describe";
import { isEditable, isEditor, isInput, isKeyCatcher, isSet, isTerminal } from "../dom/editable";
import { byRef, refOf } from "../dom/refs";
import { contains, focusedElement, parentOf } from "../dom/tree";
import { walk } from "../search/walk";

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
  /** Whether the field is a region of the page, whose editor decides how to treat a line break. */
  readonly isRegion: boolean;
  /** Whether Enter ends a line of the field: in a terminal, or in an editor that breaks inserted text softly. */
  readonly breaksByEnter: boolean;
  /** Whether the caret stays where it is, because a part of the text is selected. */
  readonly hasSelection: boolean;
  /** Whether the field has the focus, which it needs to receive keys. */
  readonly hasFocus: boolean;
}

const kindOf = (element: Element): FieldKind => {
  if (element.localName === "select") return "select";
  const { type } = element as HTMLInputElement;
  if (element.localName === "input" && type === "file") return "file";
  if (isSet(element)) return "value";
  if (isEditor(element) || isKeyCatcher(element)) return "editor";
  return isEditable(element) ? "text" : "none";
};

/** The only field in a wrapper that takes text. Read-only fields do not count: some editors have one in addition. */
const onlyFieldIn = (wrapper: Element): Element | undefined => {
  const inner: Element[] = [];
  walk(wrapper, (element) => {
    const parent = parentOf(element);
    if (kindOf(element) === "none" || (parent && kindOf(parent) === "text")) return;
    if (!(element as Partial<HTMLInputElement>).readOnly) inner.push(element);
  });
  const editors = inner.filter(isEditor);
  const [field, ...others] = editors.length > 0 ? editors : inner;
  return others.length === 0 ? field : undefined;
};

const fieldOf = (ref: string | undefined): Element | undefined => {
  if (ref === undefined && !document.hasFocus()) return undefined;
  const start = ref === undefined ? focusedElement() : byRef(ref);
  if (!start) return undefined;
  let field = start;
  if (kindOf(start) === "none") {
    const control = start.localName === "label" ? (start as HTMLLabelElement).control : null;
    field = control ?? (ref === undefined ? start : (onlyFieldIn(start) ?? start));
  }
  return field;
};

/**
 * The field that an element is, contains or labels; without a ref, the focused one. Undefined if there is none. A
 * field that takes keys gets the focus; then everything in it is selected, or the caret is put at its end. Without a
 * ref, a selection stays.
 */
export const startTyping = (ref: string | undefined, selectAll: boolean): Field | undefined => {
  const field = fieldOf(ref);
  if (!field) return undefined;
  const kind = kindOf(field);
  const { readOnly = false } = field as Partial<HTMLInputElement>;
  const takesKeys = (kind === "text" || kind === "editor") && !readOnly;
  const hasFocus = takesKeys && takeFocus(field);
  // In an editor, keys move the selection.
  const hasSelection = hasFocus && ref === undefined && !selectAll && isSelectedIn(field);
  if (hasFocus && kind === "text" && !hasSelection) select(field, selectAll);
  return {
    kind,
    description: describe(field),
    ref: refOf(field),
    readonly: readOnly,
    isRegion: takesKeys && !isInput(field),
    breaksByEnter: takesKeys && (isTerminal(field) || field.closest(softEditors) !== null),
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
  if (isInput(field)) {
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

const takeFocus = (meant: Element): boolean => {
  const element = hostOf(meant as HTMLElement);
  const has = () => {
    const focused = focusedElement();
    return (
      focused !== undefined &&
      (contains(element, focused) || contains(focused, element)) &&
      focused.localName !== "body"
    );
  };
  if (!has()) element.focus();
  return has();
};

const select = (element: Element, all: boolean): void => {
  if (isInput(element)) {
    const field = element as HTMLInputElement;
    if (all) field.select();
    else if (field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length);
    // Numbers and mail addresses do not show scripts their selection, but the browser's own commands move it.
    else field.ownerDocument.getSelection()?.modify("move", "forward", "lineboundary");
    return;
  }
  const selection = element.ownerDocument.getSelection();
  if (!selection) return;
  const host = hostOf(element as HTMLElement);
  selection.selectAllChildren(all ? host : element);
  if (!all) selection.collapseToEnd();
};
