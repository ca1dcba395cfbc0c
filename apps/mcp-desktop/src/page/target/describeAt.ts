import { describe } from "../accessibility/describe";
import { elementAt } from "../geometry/elementAt";

/** A description of the element at a point. */
export const describeAt = (x: number, y: number): string | undefined => {
  const element = elementAt(x, y);
  return element && describe(element);
};

/** The window's inner width and height, and a description of the element at a point of it. */
export const windowAt = (x: number, y: number): [number, number, string | undefined] => [
  innerWidth,
  innerHeight,
  describeAt(x, y),
];
