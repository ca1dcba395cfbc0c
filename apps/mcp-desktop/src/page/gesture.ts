import type { InPage } from "./script";

/** How far something is scrolled, and how far it can be scrolled, in CSS pixels. */
export interface Scrolled {
  readonly description: string;
  readonly ref: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The effects of a drag or a turn of the wheel. */
export interface Gestures {
  /** Starts to watch for a drag in the document at a point. */
  watchDrag(x: number, y: number): void;
  /** Whether a drag has begun since then, and the page has not prevented it. */
  dragBegan(): boolean;
  /** The elements at a point that the wheel can scroll, the innermost first. */
  scrollersAt(x: number, y: number): Scrolled[];
}

export function installGestures(page: InPage): void {
  let last: DragEvent | undefined;
  const watched = new WeakSet<Window>();

  page.watchDrag = (x, y) => {
    last = undefined;
    const view = page.hit(x, y)?.ownerDocument.defaultView ?? window;
    if (watched.has(view)) return;
    watched.add(view);
    const see = (event: DragEvent) => {
      last = event;
    };
    view.addEventListener("dragstart", see, { capture: true });
  };

  page.dragBegan = () => last !== undefined && !last.defaultPrevented;

  const isScroller = (element: Element) => {
    if (element === element.ownerDocument.scrollingElement) return true;
    const { overflowX, overflowY } = getComputedStyle(element);
    const scrolls = /auto|scroll/;
    return (
      (scrolls.test(overflowY) && element.scrollHeight > element.clientHeight) ||
      (scrolls.test(overflowX) && element.scrollWidth > element.clientWidth)
    );
  };

  page.scrollersAt = (x, y) => {
    const found: Scrolled[] = [];
    for (let at = page.hit(x, y); at; at = page.parentOf(at))
      if (isScroller(at))
        found.push({
          description: page.describe(at),
          ref: page.refOf(at),
          x: Math.round(at.scrollLeft),
          y: Math.round(at.scrollTop),
          width: at.scrollWidth - at.clientWidth,
          height: at.scrollHeight - at.clientHeight,
        });
    return found;
  };
}
