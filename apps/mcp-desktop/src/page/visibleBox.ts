import { labelOf } from "./accessibility/labels";
import { isEditor } from "./dom/editable";
import { childrenOf, parentOf } from "./dom/tree";
import { boxOf } from "./geometry/boxes";
import { imageOf } from "./geometry/imageMaps";
import { hasContentsOnly, hasSize, isLaidOut, styleOf } from "./geometry/layout";
import { hasBox } from "./geometry/points";
import { rectsOf } from "./geometry/rects";
import { isVisible } from "./geometry/visibility";

/** Whether a person can neither see nor reach it: pages hide the control and draw its label instead. */
const isUnseen = (control: Element): boolean => {
  if (!isLaidOut(control)) return true;
  const { right, bottom, width, height } = control.getBoundingClientRect();
  const view = control.ownerDocument.defaultView ?? window;
  const isOutside = right + view.scrollX <= 0 || bottom + view.scrollY <= 0;
  return width <= 1 || height <= 1 || isOutside || styleOf(control).opacity === "0";
};

/** The box of an editor: that of the element that takes the keys, or the one around it. */
const editorOf = (element: Element): Element => {
  let at: Element | undefined = element;
  while (at && !hasBox(at)) at = parentOf(at);
  return at ?? element;
};

/** The element to press and to show: itself, or the label of a control that cannot be seen. */
export const shownBy = (element: Element): Element => {
  if (isEditor(element)) return editorOf(element);
  if (element.localName !== "input" || !isUnseen(element)) return element;
  return labelOf(element) ?? element;
};

/** Whether a person can see the element or its label. */
export const isShown = (element: Element): boolean => {
  const shown = shownBy(element);
  if (!isVisible(shown)) return false;
  const { width, height } = boxOf(shown);
  return width > 0 && height > 0;
};

/** Scrolls the element to the middle of the view. */
export const reveal = (element: Element): void => {
  const image = element.localName === "area" ? imageOf(element) : undefined;
  let shown: Element | undefined = image ?? firstBoxIn(element) ?? element;
  while (shown && hasContentsOnly(shown)) shown = parentOf(shown);
  shown?.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
};

/** The first element that has a box: itself, or a descendant. */
const firstBoxIn = (element: Element): Element | undefined => {
  if (!hasContentsOnly(element)) return rectsOf(element).some(hasSize) ? element : undefined;
  for (const child of childrenOf(element)) {
    const found = child.nodeType === 1 ? firstBoxIn(child as Element) : undefined;
    if (found) return found;
  }
  return undefined;
};
