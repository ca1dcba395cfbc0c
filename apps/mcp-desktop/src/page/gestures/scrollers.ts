import { describe } from "../accessibility/describe";
import { refOf } from "../dom/refs";
import { parentOf } from "../dom/tree";
import { elementAt } from "../geometry/elementAt";

/** How far something is scrolled, and how far it can be scrolled, in CSS pixels. */
export interface Scrolled {
  readonly description: string;
  readonly ref: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const isScroller = (element: Element) => {
  if (element === element.ownerDocument.scrollingElement) return true;
  const { overflowX, overflowY } = getComputedStyle(element);
  const scrolls = /auto|scroll/;
  return (
    (scrolls.test(overflowY) && element.scrollHeight > element.clientHeight) ||
    (scrolls.test(overflowX) && element.scrollWidth > element.clientWidth)
  );
};

/** The elements at a point that the wheel can scroll, the innermost first. */
export const scrollersAt = (x: number, y: number): Scrolled[] => {
  const found: Scrolled[] = [];
  for (let at = elementAt(x, y); at; at = parentOf(at))
    if (isScroller(at))
      found.push({
        description: describe(at),
        ref: refOf(at),
        x: Math.round(at.scrollLeft),
        y: Math.round(at.scrollTop),
        width: at.scrollWidth - at.clientWidth,
        height: at.scrollHeight - at.clientHeight,
      });
  return found;
};
