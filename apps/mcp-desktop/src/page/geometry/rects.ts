import { childrenOf } from "../dom/tree";
import { areaRects } from "./imageMaps";
import { hasContentsOnly, hasSize } from "./layout";

/** How many rectangles of an element's contents count. */
const MAX_RECTS = 50;

/** The rectangles that show it, in CSS pixels of its document's viewport: its own, its contents' or its image's. */
export const rectsOf = (element: Element): DOMRect[] => {
  if (element.localName === "area") return areaRects(element as HTMLAreaElement);
  const ownRects = [...element.getClientRects()];
  return ownRects.length > 0 || !hasContentsOnly(element) ? ownRects : contentRects(element);
};

const contentRects = (element: Element): DOMRect[] => {
  const rects: DOMRect[] = [];
  for (const child of childrenOf(element)) {
    if (rects.length >= MAX_RECTS) break;
    if (child.nodeType === 1) rects.push(...rectsOf(child as Element));
    if (child.nodeType !== 3) continue;
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(child);
    rects.push(...range.getClientRects());
  }
  return rects.filter(hasSize).slice(0, MAX_RECTS);
};
