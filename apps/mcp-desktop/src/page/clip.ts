import type { Box } from "./dom";
import type { InPage } from "./script";

/** A part of the window, in CSS pixels of the top document's viewport. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Clipping {
  /**
   * Returns a function for the part of the window in which an element's content can be seen: within all containers that
   * scroll or clip it. The function remembers what it has measured, so use it for one look at the page only.
   * @param window the part of the document's viewport that is on screen
   */
  clips(window: Area): (container: Element | undefined) => Area;
  /** The part of this document's viewport that is on screen, as far as the document knows. */
  viewport(): Area;
  /**
   * Returns a function that checks whether any part of an element can be seen, given its box. Use it for one look only.
   * @param view the part of the document that is on screen, in the window; by default all of it
   * @param origin the position of the document in the window
   */
  sight(view: Area | undefined, origin: { x: number; y: number }): (element: Element, box: Box) => boolean;
}

export function installClipping(page: InPage): void {
  page.viewport = () => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

  const cut = (area: Area, { x, y, width, height }: Box): Area => ({
    left: Math.max(area.left, x),
    top: Math.max(area.top, y),
    right: Math.min(area.right, x + width),
    bottom: Math.min(area.bottom, y + height),
  });

  /** The overflow of these elements is that of the window. */
  const isRoot = ({ localName }: Element) => localName === "html" || localName === "body";

  page.clips = (window) => {
    const known = new Map<Element, Area>();
    const clipOf = (container: Element | undefined): Area => {
      if (!container) return window;
      const seen = known.get(container);
      if (seen) return seen;
      const outer = clipOf(page.parentOf(container));
      const cuts =
        page.frameDocument(container) !== undefined ||
        (!isRoot(container) && getComputedStyle(container).overflowY !== "visible");
      const area = cuts ? cut(outer, page.boxOf(container)) : outer;
      known.set(container, area);
      return area;
    };
    return clipOf;
  };

  const isIn = (box: Box, { left, top, right, bottom }: Area) =>
    box.x < right && box.y < bottom && box.x + box.width > left && box.y + box.height > top;

  /** Whether the pointer would reach it: an element fixed to the window can be seen outside its containers. */
  const isHit = (element: Element) => {
    const middle = page.middleOf(element);
    const hit = middle && page.hit(middle.x, middle.y);
    return hit !== undefined && page.contains(element, hit);
  };

  page.sight = (view, { x, y }) => {
    const window = view
      ? { left: view.left - x, top: view.top - y, right: view.right - x, bottom: view.bottom - y }
      : page.viewport();
    const clipOf = page.clips(window);
    return (element, box) =>
      isIn(box, window) && (isIn(box, clipOf(page.parentOf(element))) || isHit(element));
  };
}
