import { apply, type Point } from "./affine";
import { mapOf } from "./frameTransforms";
import { rectsOf } from "./rects";
import { isVisible } from "./visibility";

export const isOnScreen = ({ x, y }: Point) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;

/** The first few rectangles with a size. */
export const firstSizedRects = (rects: Iterable<DOMRect>) =>
  [...rects].filter(({ width, height }) => width > 0 && height > 0).slice(0, 3);

/** A point in each rectangle, at these fractions of its width and height. */
export const pointsIn = (
  document: Document,
  rects: readonly DOMRect[],
  across: number,
  down: number,
): Point[] => {
  const map = mapOf(document);
  return rects.map(({ left, top, width, height }) =>
    apply(map, { x: left + width * across, y: top + height * down }),
  );
};

/** Whether any part of the element has a size. */
export const hasBox = (element: Element): boolean =>
  isVisible(element) && firstSizedRects(rectsOf(element)).length > 0;

/** The middle of the element, or of its first line on screen; something else may cover it. */
export const middleOf = (element: Element): Point | undefined =>
  pointsIn(element.ownerDocument, firstSizedRects(rectsOf(element)), 0.5, 0.5).find(isOnScreen);
