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

export interface DragEffect {
  /** Whether an element, or the value of a field, has changed. */
  readonly hasChanged: boolean;
}

/** The effects of a drag or a turn of the wheel. */
export interface Gestures {
  /** Starts to watch for a drag in the document at a point. */
  watchDrag(x: number, y: number): void;
  /** Whether a drag has begun since then, and the page has not prevented it. */
  dragBegan(): boolean;
  /** The effects of the drag since then. */
  dragEffect(): DragEffect;
  /** The elements at a point that the wheel can scroll, the innermost first. */
  scrollersAt(x: number, y: number): Scrolled[];
}

export function installGestures(page: InPage): void {
  let last: DragEvent | undefined;
  const watched = new WeakSet<Window>();

  let observer: MutationObserver | undefined;
  let hasMutated = false;
  let view: Window = window;

  const seeChange = () => {
    hasMutated = true;
  };

  page.watchDrag = (x, y) => {
    last = undefined;
    const element = page.hit(x, y);
    view = element?.ownerDocument.defaultView ?? window;
    hasMutated = element?.localName === "canvas";
    observer?.disconnect();
    observer = new MutationObserver(seeChange);
    for (const type of ["input", "change", "scroll"])
      view.addEventListener(type, seeChange, { capture: true });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    for (
      let root = element?.getRootNode();
      root;
      root = "host" in root ? (root.host as Element).getRootNode() : undefined
    )
      observer.observe(root, all);
    if (watched.has(view)) return;
    watched.add(view);
    const see = (event: DragEvent) => {
      last = event;
    };
    view.addEventListener("dragstart", see, { capture: true });
  };

  page.dragEffect = () => {
    const hasPending = (observer?.takeRecords() ?? []).length > 0;
    observer?.disconnect();
    return { hasChanged: hasMutated || hasPending };
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
