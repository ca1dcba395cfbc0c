import { contains, frameDocument, parentOf } from "../dom/tree";
import { type Affine, type Box, boxAround, inverse } from "./affine";
import { boxOf } from "./boxes";
import { elementAt } from "./elementAt";
import { middleOf } from "./points";

/** A part of the window, in CSS pixels of the top document's viewport. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The part of this document's viewport that is on screen, as far as the document knows. */
export const viewport = (): Area => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });

const intersect = (area: Area, { x, y, width, height }: Box): Area => ({
  left: Math.max(area.left, x),
  top: Math.max(area.top, y),
  right: Math.min(area.right, x + width),
  bottom: Math.min(area.bottom, y + height),
});

/** These elements have the window's overflow. */
const isRoot = ({ localName }: Element) => localName === "html" || localName === "body";

/**
 * Returns a function for the part of the window in which an element's content can be seen: within all containers that
 * scroll or clip it. The function caches measurements, so use it for one reading of the page only.
 * @param window the part of the document's viewport that is on screen
 */
export const createClipOf = (window: Area): ((container: Element | undefined) => Area) => {
  const areaByContainer = new Map<Element, Area>();
  const clipOf = (container: Element | undefined): Area => {
    if (!container) return window;
    const cachedArea = areaByContainer.get(container);
    if (cachedArea) return cachedArea;
    const outer = clipOf(parentOf(container));
    const cuts =
      frameDocument(container) !== undefined ||
      (!isRoot(container) && getComputedStyle(container).overflowY !== "visible");
    const area = cuts ? intersect(outer, boxOf(container)) : outer;
    areaByContainer.set(container, area);
    return area;
  };
  return clipOf;
};

const isIn = (box: Box, { left, top, right, bottom }: Area) =>
  box.x < right && box.y < bottom && box.x + box.width > left && box.y + box.height > top;

/** Whether the pointer would reach it: an element fixed to the window can be seen outside its containers. */
const isHit = (element: Element) => {
  const middle = middleOf(element);
  const hit = middle && elementAt(middle.x, middle.y);
  return hit !== undefined && contains(element, hit);
};

/** The part of the document that an area of the window shows. */
const areaIn = ({ left, top, right, bottom }: Area, map: Affine): Area => {
  const shown = { x: left, y: top, width: right - left, height: bottom - top };
  const { x, y, width, height } = boxAround(inverse(map), shown);
  return { left: x, top: y, right: x + width, bottom: y + height };
};

/**
 * Returns a function that checks whether any part of an element can be seen, given its box. Use it for one reading
 * only.
 * @param view the part of the document that is on screen, in the window; by default all of it
 * @param map from the document to the window
 */
export const createIsInView = (
  view: Area | undefined,
  map: Affine,
): ((element: Element, box: Box) => boolean) => {
  const window = view ? areaIn(view, map) : viewport();
  const clipOf = createClipOf(window);
  return (element, box) => isIn(box, window) && (isIn(box, clipOf(parentOf(element))) || isHit(element));
};
