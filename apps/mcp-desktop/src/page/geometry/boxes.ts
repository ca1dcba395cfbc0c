import { type Box, boxAround } from "./affine";
import { mapOf } from "./frameTransforms";
import { hasSize } from "./layout";
import { rectsOf } from "./rects";

const isOutermost = window.frameElement === null;

/** In CSS pixels of the top document's viewport. */
export const boxOf = (element: Element): Box => {
  const { x, y, width, height } = around(element);
  if (isOutermost && element.ownerDocument === document) return { x, y, width, height };
  return boxAround(mapOf(element.ownerDocument), { x, y, width, height });
};

const around = (element: Element): Box => {
  const ownBox = element.getBoundingClientRect();
  if (hasSize(ownBox)) return ownBox;
  const rects = rectsOf(element).filter(hasSize);
  if (rects.length === 0) return ownBox;
  const x = Math.min(...rects.map(({ left }) => left));
  const y = Math.min(...rects.map(({ top }) => top));
  const right = Math.max(...rects.map((rect) => rect.right));
  const bottom = Math.max(...rects.map((rect) => rect.bottom));
  return { x, y, width: right - x, height: bottom - y };
};
