import type { Box } from "./dom";
import type { Affine } from "./maths";
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
   * scroll or clip it. The function caches measurements, so use it for one reading of the page only.
   * @param window the part of the document's viewport that is on screen
   */
  clips(window: Area): (container: Element | undefined) => Area;
  /** The part of this document's viewport that is on screen, as far as the document knows. */
  viewport(): Area;
  /**
   * Returns a function that checks whether any part of an element can be seen, given its box. Use it for one reading
   * only.
   * @param view the part of the document that is on screen, in the window; by default all of it
   * @param map from the document to the window
   */
  sight(view: Area | undefined, map: Affine): (element: Element, box: Box) => boolean;
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

  /** The part of the document that an area of the window shows. */
  const areaIn = ({ left, top, right, bottom }: Area, map: Affine): Area => {
    const shown = { x: left, y: top, width: right - left, height: bottom - top };
    const { x, y, width, height } = page.boxAround(page.inverse(map), shown);
    return { left: x, top: y, right: x + width, bottom: y + height };
  };

  page.sight = (view, map) => {
    const window = view ? areaIn(view, map) : page.viewport();
    const clipOf = page.clips(window);
    return (element, box) =>
      isIn(box, window) && (isIn(box, clipOf(page.parentOf(element))) || isHit(element));
  };
}
