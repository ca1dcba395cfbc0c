import { describe } from "../accessibility/describe";
import { apply, type Box, compose, type Point } from "../geometry/affine";
import { boxOf } from "../geometry/boxes";
import { type Area, createClipOf, viewport } from "../geometry/clipping";
import { elementAt } from "../geometry/elementAt";
import { type FrameTransform, frameTransform, isCertain, mapOf } from "../geometry/frameTransforms";

/** How the outer document of a frame shows the frame's document. */
export interface FramePlace extends FrameTransform {
  /** The part of it that is on screen, in the outer document. */
  readonly view: Area;
  /** A description of the element that covers it at the point in question. */
  readonly coveredBy?: string | undefined;
}

/**
 * Measures how this document shows the document of a frame.
 * @param scrolls whether the frame is brought into view first
 * @param point the point of the frame's document in question; by default the middle of the frame
 */
export const frameBox = (frame: Element, scrolls: boolean, point?: Point): FramePlace => {
  const isIn = ({ x, y, width, height }: Box) =>
    x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
  if (scrolls && !isIn(boxOf(frame)))
    frame.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = boxOf(frame);
  const { map: inner, isCertain: isOwnCertain } = frameTransform(frame);
  const map = compose(mapOf(frame.ownerDocument), inner);
  const { x, y } = point ? apply(map, point) : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const covering = elementAt(x, y);
  return {
    map,
    isCertain: isOwnCertain && isCertain(frame.ownerDocument),
    view: createClipOf(viewport())(frame),
    ...(covering && covering !== frame && { coveredBy: describe(covering) }),
  };
};
