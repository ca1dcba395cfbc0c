import { isInteractive } from "../dom/controls";
import { contains, parentOf } from "../dom/tree";
import type { Point } from "../geometry/affine";
import { elementAt } from "../geometry/elementAt";
import { ignoresPointer } from "../geometry/layout";
import { firstSizedRects, isOnScreen, pointsIn } from "../geometry/points";
import { rectsOf } from "../geometry/rects";
import { spotOf } from "../search/textPosition";

const belongs = (hit: Element | undefined, element: Element) => {
  if (!hit) return false;
  if (contains(element, hit)) return true;
  // A press on text that lets the pointer through reaches the element around it. A control that does is disabled.
  if (ignoresPointer(element) && !isInteractive(element) && contains(hit, element)) return true;
  // A label passes a click on to its control.
  for (let at: Element | undefined = hit; at; at = parentOf(at)) {
    if (at.localName === "label") return (at as HTMLLabelElement).control === element;
    // A link within the label takes the click itself.
    if (isInteractive(at)) return false;
  }
  return false;
};

/** Whether the press reaches no other control within the element. */
const isDirect = (hit: Element | undefined, element: Element) => {
  for (let at = hit; at && at !== element; at = parentOf(at))
    if (isInteractive(at)) return !contains(element, hit as Element);
  return true;
};

/** Candidates: the middle of the element or of its first lines, then points off the middle. */
const pointsOf = (shown: Element, steps: readonly number[]) => {
  const { ownerDocument } = shown;
  const rects = firstSizedRects(rectsOf(shown));
  return [
    ...pointsIn(ownerDocument, rects, 0.5, 0.5),
    ...steps.flatMap((a) => steps.flatMap((d) => pointsIn(ownerDocument, rects.slice(0, 1), a, d))),
  ];
};

/**
 * A point of `shown` that is on screen and where a press reaches `element`. Points on the text, if given, come first;
 * points on another control in the element come last.
 * @param isThorough also tries points all over the element
 */
export const freePoint = (
  shown: Element,
  element: Element,
  text: string | undefined,
  isThorough: boolean,
): Point | undefined => {
  const textPosition = text === undefined ? undefined : spotOf(shown, text);
  const candidates = [
    ...(textPosition
      ? pointsIn(textPosition.element.ownerDocument, firstSizedRects(textPosition.rects), 0.5, 0.5)
      : []),
    ...pointsOf(shown, isThorough ? [0.05, 0.15, 0.3, 0.5, 0.7, 0.85, 0.95] : [0.15, 0.85]),
  ];
  let fallbackPoint: Point | undefined;
  for (const point of candidates) {
    if (!isOnScreen(point)) continue;
    const hit = elementAt(point.x, point.y);
    if (!belongs(hit, element)) continue;
    if (isDirect(hit, element)) return point;
    fallbackPoint ??= point;
  }
  if (fallbackPoint && !isThorough) return freePoint(shown, element, text, true);
  return fallbackPoint;
};
