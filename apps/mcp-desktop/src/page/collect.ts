import type { Area } from "./clip";
import type { Box } from "./dom";
import type { Affine } from "./maths";
import type { InPage } from "./script";

export interface SnapshotOptions {
  /** Its first visible match becomes the root. */
  readonly selector?: string | undefined;
  readonly interactiveOnly: boolean;
  readonly text?: string | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxElements: number;
  /** From the document to the window. */
  readonly map: Affine;
  /** The part of it that is on screen, in the window; by default all of it. */
  readonly view?: Area | undefined;
}

/** An element to show. */
export interface Entry {
  readonly element: Element;
  readonly depth: number;
  readonly box: Box;
  readonly hasPlace: boolean;
  /** Its line without the place. Call it only for elements that are shown, since it gives the element a ref. */
  readonly line: () => string;
  readonly isGroup: boolean;
  readonly inView: boolean;
}

export interface Collecting {
  /** The entries of an element and everything in it, in document order. */
  collect(root: Element, options: SnapshotOptions): Entry[];
}

export function installCollecting(page: InPage): void {
  const svgNamespace = "http://www.w3.org/2000/svg";

  page.collect = (root, options) => {
    const entries: Entry[] = [];
    const isInView = page.sight(options.view, options.map);
    const wanted = options.text === undefined ? undefined : page.fold(options.text);

    const visit = (element: Element, depth: number, absorbed: boolean): void => {
      const tag = element.localName;
      const kind = page.kindOf(tag);
      if (kind.isSkipped) return;
      const isVisible = page.isVisible(element);
      const gone = !isVisible && page.isGone(element);
      const bearer = page.shownBy(element);
      if (gone && bearer === element) return;
      const box = page.boxOf(bearer);
      const shown = !isDecoy(element) && (bearer !== element || isVisible) && box.width > 0 && box.height > 0;
      const interactive = shown && page.isInteractive(element);
      const own =
        shown &&
        !absorbed &&
        !kind.isTitle &&
        (kind.absorbs ? saysMore(element) : page.ownText(element).trim() !== "");
      const isRow = tag === "tr";
      const labelled =
        shown &&
        !interactive &&
        (element.hasAttribute("data-testid") ||
          element.hasAttribute("role") ||
          element.hasAttribute("aria-label") ||
          kind.isIcon);
      const isGroup = shown && !interactive && !own && kind.isGroup && (tag !== "section" || labelled);
      let name = "";
      if (interactive || labelled || isGroup) name = page.nameOf(element);
      const takesText = interactive || own;
      if (!name && takesText && !page.isEditable(element)) name = page.textOf(element);
      if (isRow && !absorbed)
        name = page
          .childrenOf(element)
          .filter((cell) => cell.nodeType === 1 && saysMore(cell as Element))
          .map((cell) => page.cut(page.textOf(cell as Element), 60))
          .filter((cell) => cell !== "")
          .join(" | ");
      const listed =
        interactive ||
        (!options.interactiveOnly &&
          (((own || isRow) && name.trim() !== "") ||
            (labelled &&
              (name.trim() !== "" ||
                kind.isDrawn ||
                element.hasAttribute("data-testid") ||
                (element.hasAttribute("role") && !isPresentation(element)))) ||
            isGroup));
      // A label beside its control repeats the text of the control's line.
      const control = tag === "label" ? (element as HTMLLabelElement).control : null;
      const fits =
        wanted === undefined || page.fold(`${name} ${page.valueOf(element) ?? ""}`).includes(wanted);
      const isSaid = listed && !(control && !element.hasAttribute("data-testid"));
      if (isSaid && fits) {
        const inView = isInView(bearer, box);
        const isPlain = !interactive && !labelled && (own || isRow) && !kind.isHeading;
        const hasPlace = inView && !isPlain && (interactive || !isGroup);
        const line = () => (isPlain ? page.plainLine(tag, name) : page.lineOf(element, name, interactive));
        entries.push({ element, depth, box, hasPlace, line, isGroup, inView });
      }
      if (kind.isClosed || (element.namespaceURI === svgNamespace && tag !== "svg")) return;
      const deeper = isSaid ? depth + 1 : depth;
      if (options.maxDepth !== undefined && deeper > options.maxDepth) return;
      // Text in an ancestor's line is not repeated; blocks within a block get lines of their own.
      const covers = interactive || isRow || (own && (kind.absorbs || !hasBlocks(element)));
      const isAbsorbed = absorbed || (covers && listed);
      if (tag === "svg") visitParts(element, deeper, isAbsorbed);
      else
        for (const child of page.childrenOf(element))
          if (child.nodeType === 1) visit(child as Element, deeper, isAbsorbed);
    };
    /** A shape's parts are already found here; the text of a link or button is part of its line. */
    const visitParts = (svg: Element, depth: number, absorbed: boolean): void => {
      const parts = page.partsOf(svg);
      const controls = parts.filter(page.isInteractive);
      for (const part of parts) {
        const isNamed = controls.some((control) => control !== part && control.contains(part));
        visit(part, depth, absorbed || isNamed);
      }
    };
    visit(root, 0, false);
    return entries;
  };

  /** A role that hides the element's own meaning, and so gives it none. */
  const isPresentation = (element: Element) =>
    /^(presentation|none)$/.test(element.getAttribute("role") ?? "");

  /** Editors that take keys by EditContext have a read-only field beside it, which takes nothing. */
  const isDecoy = (element: Element): boolean =>
    (element as Partial<HTMLTextAreaElement>).readOnly === true &&
    [...(element.parentElement?.children ?? [])].some(page.isEditor);

  /** Whether it has text of its own besides that of the controls in it. */
  const saysMore = (element: Element): boolean =>
    page.isLeaf(element)
      ? (element.textContent ?? "").trim() !== ""
      : page
          .childrenOf(element)
          .some((child) =>
            child.nodeType === 3
              ? (child.nodeValue ?? "").trim() !== ""
              : child.nodeType === 1 && !page.isInteractive(child as Element) && saysMore(child as Element),
          );

  const hasBlocks = (element: Element): boolean =>
    [...element.children].some((child) => !/^(inline|none|contents)/.test(getComputedStyle(child).display));
}
