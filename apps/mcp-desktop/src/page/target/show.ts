import type { Box } from "../geometry/affine";
import { boxOf } from "../geometry/boxes";
import { isCertain } from "../geometry/frameTransforms";
import { isVisible } from "../geometry/visibility";
import { find, type Query } from "../search/find";
import { reveal } from "../visibleBox";

/** Scrolls the first visible match into view and measures it; undefined without a match. */
export const show = (query: Query): Box | undefined => {
  const matches = find(query);
  const element = Array.isArray(matches) ? matches.find(isVisible) : undefined;
  if (!element || !isCertain(element.ownerDocument)) return undefined;
  const { x, y, width, height } = boxOf(element);
  if (x < 0 || y < 0 || x + width > innerWidth || y + height > innerHeight) reveal(element);
  return boxOf(element);
};
