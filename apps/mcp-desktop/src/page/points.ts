import type { InPage } from "./script";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points at which an element can be pressed, in CSS pixels of the top document's viewport. */
export interface Points {
  /** The innermost element at a point. */
  hit(x: number, y: number): Element | undefined;
  /** Whether any part of it has a size. */
  hasBox(element: Element): boolean;
  /** The middle of the element, or of its first line on screen; something else may cover it. */
  middleOf(element: Element): Point | undefined;
  /**
   * A point of `shown` that is on screen and where a press reaches `element`. Points on the text, if given, come first;
   * points on another control in the element come last.
   * @param isThorough also tries points all over the element
   */
  freePoint(
    shown: Element,
    element: Element,
    text: string | undefined,
    isThorough: boolean,
  ): Point | undefined;
}

export function installPoints(page: InPage): void {
  page.hit = (x, y) => {
    let root: Document | ShadowRoot = document;
    let left = x;
    let top = y;
    let element: Element | undefined;
    for (;;) {
      const found: Element | null = root.elementFromPoint(left, top);
      if (!found || found === element) return element;
      element = found;
      const inner: Document | ShadowRoot | undefined = page.shadowOf(element) ?? page.frameDocument(element);
      if (!inner) return element;
      if (!page.shadowOf(element)) {
        ({ x: left, y: top } = page.apply(page.inverse(page.mapOf(inner as Document)), { x, y }));
      }
      root = inner;
    }
  };

  const belongs = (hit: Element | undefined, element: Element) => {
    if (!hit) return false;
    if (page.contains(element, hit)) return true;
    // A label passes a click on to its control.
    for (let at: Element | undefined = hit; at; at = page.parentOf(at)) {
      if (at.localName === "label") return (at as HTMLLabelElement).control === element;
      // A link within the label takes the click itself.
      if (page.isInteractive(at)) return false;
    }
    return false;
  };

  /** Whether the press reaches no other control within the element. */
  const isDirect = (hit: Element | undefined, element: Element) => {
    for (let at = hit; at && at !== element; at = page.parentOf(at))
      if (page.isInteractive(at)) return !page.contains(element, hit as Element);
    return true;
  };

  const isOnScreen = ({ x, y }: Point) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

  const sized = (rects: Iterable<DOMRect>) =>
    [...rects].filter(({ width, height }) => width > 0 && height > 0).slice(0, 3);

  /** A point in each rectangle, at these fractions of its width and height. */
  const at = (document: Document, rects: readonly DOMRect[], across: number, down: number): Point[] => {
    const map = page.mapOf(document);
    return rects.map(({ left, top, width, height }) =>
      page.apply(map, { x: left + width * across, y: top + height * down }),
    );
  };

  page.hasBox = (element) => page.isVisible(element) && sized(page.rectsOf(element)).length > 0;

  page.middleOf = (element) =>
    at(element.ownerDocument, sized(page.rectsOf(element)), 0.5, 0.5).find(isOnScreen);

  /** Candidates: the middle of the element or of its first lines, then points off the middle. */
  const pointsOf = (shown: Element, steps: readonly number[]) => {
    const { ownerDocument } = shown;
    const rects = sized(page.rectsOf(shown));
    return [
      ...at(ownerDocument, rects, 0.5, 0.5),
      ...steps.flatMap((a) => steps.flatMap((d) => at(ownerDocument, rects.slice(0, 1), a, d))),
    ];
  };

  page.freePoint = (shown, element, text, isThorough) => {
    const spot = text === undefined ? undefined : page.spotOf(shown, text);
    const candidates = [
      ...(spot ? at(spot.element.ownerDocument, sized(spot.rects), 0.5, 0.5) : []),
      ...pointsOf(shown, isThorough ? [0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95] : [0.15, 0.85]),
    ];
    let taken: Point | undefined;
    for (const point of candidates) {
      if (!isOnScreen(point)) continue;
      const hit = page.hit(point.x, point.y);
      if (!belongs(hit, element)) continue;
      if (isDirect(hit, element)) return point;
      taken ??= point;
    }
    if (taken && !isThorough) return page.freePoint(shown, element, text, true);
    return taken;
  };
}
