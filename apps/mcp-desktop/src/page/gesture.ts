import type { InPage } from "./script";

/** How far something is scrolled, and how far it can be; in CSS pixels. */
export interface Scrolled {
  readonly description: string;
  readonly ref: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What drags and turns of the wheel come to. */
export interface Gestures {
  /** From now on a drag that begins where the point is shall be noticed. */
  watchDrag(x: number, y: number): void;
  /** Whether one has begun since, which the page has not refused. */
  dragBegan(): boolean;
  /** What the wheel may scroll at a point, the innermost first. */
  scrollersAt(x: number, y: number): Scrolled[];
}

export function installGestures(page: InPage): void {
  let last: DragEvent | undefined;

  page.watchDrag = (x, y) => {
    last = undefined;
    const view = page.hit(x, y)?.ownerDocument.defaultView ?? window;
    const see = (event: DragEvent) => {
      last = event;
    };
    view.addEventListener("dragstart", see, { capture: true, once: true });
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
