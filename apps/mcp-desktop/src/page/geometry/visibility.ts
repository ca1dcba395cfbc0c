import { imageOf } from "./imageMaps";
import { hasContentsOnly, hasSize, isLaidOut, styleOf } from "./layout";
import { rectsOf } from "./rects";

/** Whether the element is visible, even if it has no box itself. */
export const isVisible = (element: Element): boolean => {
  if (isLaidOut(element)) return true;
  if (element.localName === "area") return imageOf(element) !== undefined;
  const style = styleOf(element);
  return style.display === "contents" && style.visibility === "visible" && rectsOf(element).some(hasSize);
};

/** Whether neither the element nor anything inside it is visible. */
export const isGone = (element: Element): boolean =>
  !element.checkVisibility() &&
  !hasContentsOnly(element) &&
  !(element.localName === "area" && isVisible(element));
