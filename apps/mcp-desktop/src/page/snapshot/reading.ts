import { nameOf } from "../accessibility/names";
import { ownText, textOf } from "../accessibility/text";
import { isInteractive } from "../dom/controls";
import { isEditable, isEditor } from "../dom/editable";
import { childrenOf, isLeaf } from "../dom/tree";
import { firstCharacters } from "../firstCharacters";
import type { Box } from "../geometry/affine";
import { boxOf } from "../geometry/boxes";
import { isGone, isVisible } from "../geometry/visibility";
import { shownBy } from "../visibleBox";
import type { TagKind } from "./lines";

/** The properties of an element that decide whether and how a snapshot lists it. */
export interface Reading {
  /** The element to click on and to show. */
  readonly bearer: Element;
  readonly box: Box;
  /** The element's name or text. */
  readonly name: string;
  readonly interactive: boolean;
  /** Whether the element has text that is in no ancestor's line. */
  readonly hasText: boolean;
  /** Whether an attribute or the kind of the element gives it a meaning. */
  readonly labelled: boolean;
  /** The element's line has no text. */
  readonly isGroup: boolean;
  readonly isRow: boolean;
}

/**
 * Undefined for an element that is not rendered, with everything in it.
 * @param absorbed whether its text is in an ancestor's line
 */
export function readingOf(element: Element, kind: TagKind, absorbed: boolean): Reading | undefined {
  const visible = isVisible(element);
  const isRemoved = !visible && isGone(element);
  const bearer = shownBy(element);
  if (isRemoved && bearer === element) return undefined;
  const box = boxOf(bearer);
  const shown = !isDecoy(element) && (bearer !== element || visible) && box.width > 0 && box.height > 0;
  const interactive = shown && isInteractive(element);
  const hasText =
    shown &&
    !absorbed &&
    !kind.isTitle &&
    (kind.absorbs ? hasOwnText(element) : ownText(element).trim() !== "");
  const isRow = element.localName === "tr";
  const labelled =
    shown &&
    !interactive &&
    (["data-testid", "role", "aria-label"].some((name) => element.hasAttribute(name)) || kind.isIcon);
  const isGroup =
    shown && !interactive && !hasText && kind.isGroup && (element.localName !== "section" || labelled);
  let name = "";
  if (interactive || labelled || isGroup) name = nameOf(element);
  if (!name && (interactive || hasText) && !isEditable(element)) name = textOf(element);
  if (isRow && !absorbed) name = rowText(element);
  return { bearer, box, name, interactive, hasText, labelled, isGroup, isRow };
}

/** Whether a full snapshot, which has more than controls, lists the element. */
export function isListed(element: Element, kind: TagKind, reading: Reading): boolean {
  const { interactive, hasText, isRow, labelled, isGroup } = reading;
  const isNamed = reading.name.trim() !== "";
  if (interactive || isGroup || ((hasText || isRow) && isNamed)) return true;
  return (
    labelled &&
    (isNamed ||
      kind.isDrawn ||
      element.hasAttribute("data-testid") ||
      (element.hasAttribute("role") && !isPresentation(element)))
  );
}

const rowText = (row: Element): string =>
  childrenOf(row)
    .filter((cell) => cell.nodeType === 1 && hasOwnText(cell as Element))
    .map((cell) => firstCharacters(textOf(cell as Element), 60))
    .filter((cell) => cell !== "")
    .join(" | ");

/** A role that hides the element's own meaning, and so gives it none. */
const isPresentation = (element: Element) => /^(presentation|none)$/.test(element.getAttribute("role") ?? "");

/** Native controls that only carry the value of a drawn one (MUI, Radix): neither seen, focused nor announced. */
const unreachable = ':is(input, select)[aria-hidden=true][tabindex="-1"]';

/** Editors that take keys by EditContext have a read-only field beside it, which takes nothing. */
const isDecoy = (element: Element): boolean =>
  element.matches(unreachable) ||
  ((element as Partial<HTMLTextAreaElement>).readOnly === true &&
    [...(element.parentElement?.children ?? [])].some(isEditor));

/** Whether the element has text besides the text of the controls in it. */
const hasOwnText = (element: Element): boolean =>
  isLeaf(element)
    ? (element.textContent ?? "").trim() !== ""
    : childrenOf(element).some((child) =>
        child.nodeType === 3
          ? (child.nodeValue ?? "").trim() !== ""
          : child.nodeType === 1 && !isInteractive(child as Element) && hasOwnText(child as Element),
      );
