import { shownValueOf } from "../accessibility/values";
import { isInteractive } from "../dom/controls";
import { childrenOf, partsOf } from "../dom/tree";
import type { Affine, Box } from "../geometry/affine";
import { type Area, createIsInView } from "../geometry/clipping";
import { fold } from "../search/textMatch";
import { kindOfTag, lineOf, plainLine } from "./lines";
import { isListed, type Reading, readingOf } from "./reading";

export interface SnapshotOptions {
  /** The root is the first visible match of this selector. */
  readonly selector?: string | undefined;
  readonly interactiveOnly: boolean;
  readonly text?: string | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxElements: number;
  /** Maps coordinates of the document to the window. */
  readonly map: Affine;
  /** The part of the document that is on screen, in coordinates of the window; by default all of it. */
  readonly view?: Area | undefined;
}

/** An element to show. */
export interface Entry {
  readonly element: Element;
  readonly depth: number;
  readonly box: Box;
  readonly hasPlace: boolean;
  /**
   * Builds the element's line without its position. Called only for shown elements, since it gives the element a ref.
   */
  readonly line: () => string;
  readonly isGroup: boolean;
  readonly inView: boolean;
}

/** The entries of an element and everything in it, in document order. */
export function collect(root: Element, options: SnapshotOptions): Entry[] {
  const entries: Entry[] = [];
  const isInView = createIsInView(options.view, options.map);
  const wanted = options.text === undefined ? undefined : fold(options.text);
  const fits = (element: Element, { name }: Reading) =>
    wanted === undefined || fold(`${name} ${shownValueOf(element) ?? ""}`).includes(wanted);

  const visit = (element: Element, depth: number, absorbed: boolean): void => {
    const kind = kindOfTag(element.localName);
    const reading = kind.isSkipped ? undefined : readingOf(element, kind, absorbed);
    if (!reading) return;
    const { interactive, hasText, isRow } = reading;
    const listed = interactive || (!options.interactiveOnly && isListed(element, kind, reading));
    const hasLine = listed && !repeatsControl(element);
    if (hasLine && fits(element, reading))
      entries.push(entryOf(element, depth, reading, isInView(reading.bearer, reading.box)));
    if (kind.isClosed || isShape(element)) return;
    const deeper = hasLine ? depth + 1 : depth;
    if (options.maxDepth !== undefined && deeper > options.maxDepth) return;
    // Text in an ancestor's line is not repeated; blocks within a block get lines of their own.
    const covers = interactive || isRow || (hasText && (kind.absorbs || !hasBlocks(element)));
    const isAbsorbed = absorbed || (covers && listed);
    if (element.localName === "svg") visitParts(element, deeper, isAbsorbed);
    else
      for (const child of childrenOf(element))
        if (child.nodeType === 1) visit(child as Element, deeper, isAbsorbed);
  };
  /** A shape's parts are already found here; the text of a link or button is part of its line. */
  const visitParts = (svg: Element, depth: number, absorbed: boolean): void => {
    const parts = partsOf(svg);
    const controls = parts.filter(isInteractive);
    for (const part of parts) {
      const isNamed = controls.some((control) => control !== part && control.contains(part));
      visit(part, depth, absorbed || isNamed);
    }
  };
  visit(root, 0, false);
  return entries;
}

function entryOf(element: Element, depth: number, reading: Reading, inView: boolean): Entry {
  const { box, name, interactive, hasText, labelled, isGroup, isRow } = reading;
  const tag = element.localName;
  const isPlain = !interactive && !labelled && (hasText || isRow) && !kindOfTag(tag).isHeading;
  const hasPlace = inView && !isPlain && (interactive || !isGroup);
  const line = () => (isPlain ? plainLine(tag, name) : lineOf(element, name, interactive));
  return { element, depth, box, hasPlace, line, isGroup, inView };
}

/** Whether the element is a label beside its control, which repeats the text of the control's line. */
const repeatsControl = (element: Element): boolean =>
  element.localName === "label" &&
  (element as HTMLLabelElement).control !== null &&
  !element.hasAttribute("data-testid");

/** Whether the element is a part of a drawing. */
const isShape = (element: Element): boolean =>
  element.namespaceURI === "http://www.w3.org/2000/svg" && element.localName !== "svg";

const hasBlocks = (element: Element): boolean =>
  [...element.children].some((child) => !/^(inline|none|contents)/.test(getComputedStyle(child).display));
