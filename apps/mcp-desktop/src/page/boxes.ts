import type { Box } from "./dom";
import type { InPage } from "./script";

/** Where elements are shown, also those without a box of their own. */
export interface Boxes {
  isVisible(element: Element): boolean;
  /** Whether nothing inside it can be seen either. */
  isGone(element: Element): boolean;
  /** The rectangles that show it, in CSS pixels of its document's viewport: its own, its contents' or its image's. */
  rectsOf(element: Element): DOMRect[];
  /** In CSS pixels of the top document's viewport. */
  boxOf(element: Element): Box;
  /** The element to press and to show: itself, or the label of a control that cannot be seen. */
  shownBy(element: Element): Element;
  /** Brings it to the middle of the view. */
  reveal(element: Element): void;
}

export function installBoxes(page: InPage): void {
  /** How many rectangles of an element's contents count. */
  const maxRects = 50;

  const isLaidOut = (element: Element) =>
    // The second is the name of the first before Chromium 121.
    element.checkVisibility({ visibilityProperty: true, checkVisibilityCSS: true });

  const styleOf = (element: Element) => getComputedStyle(element);

  const hasContentsOnly = (element: Element) => styleOf(element).display === "contents";

  /** The image on which an area of an image map is shown. */
  const imageOf = (area: Element): HTMLImageElement | undefined => {
    const name = area.closest("map")?.name;
    if (!name) return undefined;
    const root = area.getRootNode() as Document | ShadowRoot;
    const images = [...root.querySelectorAll<HTMLImageElement>("img[usemap]")];
    return images.find((image) => image.useMap === `#${name}` && isLaidOut(image));
  };

  const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0;

  page.isVisible = (element) => {
    if (isLaidOut(element)) return true;
    if (element.localName === "area") return imageOf(element) !== undefined;
    const style = styleOf(element);
    return (
      style.display === "contents" && style.visibility === "visible" && page.rectsOf(element).some(hasSize)
    );
  };

  page.isGone = (element) =>
    !element.checkVisibility() &&
    !hasContentsOnly(element) &&
    !(element.localName === "area" && page.isVisible(element));

  page.rectsOf = (element) => {
    if (element.localName === "area") return areaRects(element as HTMLAreaElement);
    const own = [...element.getClientRects()];
    return own.length > 0 || !hasContentsOnly(element) ? own : contentRects(element);
  };

  const contentRects = (element: Element): DOMRect[] => {
    const rects: DOMRect[] = [];
    for (const child of page.childrenOf(element)) {
      if (rects.length >= maxRects) break;
      if (child.nodeType === 1) rects.push(...page.rectsOf(child as Element));
      if (child.nodeType !== 3) continue;
      const range = element.ownerDocument.createRange();
      range.selectNodeContents(child);
      rects.push(...range.getClientRects());
    }
    return rects.filter(hasSize).slice(0, maxRects);
  };

  /** The upright rectangle around an area's shape. */
  const areaRects = (area: HTMLAreaElement): DOMRect[] => {
    const image = imageOf(area);
    if (!image) return [];
    const box = image.getBoundingClientRect();
    const style = styleOf(image);
    const left = image.clientLeft + Number.parseFloat(style.paddingLeft);
    const top = image.clientTop + Number.parseFloat(style.paddingTop);
    const [x, y, width, height] = shapeOf(area, image.width, image.height);
    const across = image.offsetWidth > 0 ? box.width / image.offsetWidth : 1;
    const down = image.offsetHeight > 0 ? box.height / image.offsetHeight : 1;
    return [
      new DOMRect(box.x + (left + x) * across, box.y + (top + y) * down, width * across, height * down),
    ];
  };

  const shapeOf = (area: HTMLAreaElement, width: number, height: number) => {
    const numbers = area.coords.split(/[\s,;]+/).map(Number);
    const [x = 0, y = 0, radius = 0] = numbers;
    if (area.shape === "default") return [0, 0, width, height] as const;
    if (area.shape.startsWith("circ")) return [x - radius, y - radius, 2 * radius, 2 * radius] as const;
    const xs = numbers.filter((_, index) => index % 2 === 0);
    const ys = numbers.filter((_, index) => index % 2 === 1);
    const [left, upper] = [Math.min(...xs), Math.min(...ys)];
    return [left, upper, Math.max(...xs) - left, Math.max(...ys) - upper] as const;
  };

  const isOutermost = window.frameElement === null;

  page.boxOf = (element) => {
    const { x, y, width, height } = around(element);
    if (isOutermost && element.ownerDocument === document) return { x, y, width, height };
    return page.boxAround(page.mapOf(element.ownerDocument), { x, y, width, height });
  };

  const around = (element: Element): Box => {
    const own = element.getBoundingClientRect();
    if (hasSize(own)) return own;
    const rects = page.rectsOf(element).filter(hasSize);
    if (rects.length === 0) return own;
    const x = Math.min(...rects.map(({ left }) => left));
    const y = Math.min(...rects.map(({ top }) => top));
    const right = Math.max(...rects.map((rect) => rect.right));
    const bottom = Math.max(...rects.map((rect) => rect.bottom));
    return { x, y, width: right - x, height: bottom - y };
  };

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
    while (at && !page.hasBox(at)) at = page.parentOf(at);
    return at ?? element;
  };

  page.shownBy = (element) => {
    if (page.isEditor(element)) return editorOf(element);
    if (element.localName !== "input" || !isUnseen(element)) return element;
    return page.labelOf(element) ?? element;
  };

  page.reveal = (element) => {
    const image = element.localName === "area" ? imageOf(element) : undefined;
    let shown: Element | undefined = image ?? firstBoxIn(element) ?? element;
    while (shown && hasContentsOnly(shown)) shown = page.parentOf(shown);
    shown?.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  };

  /** The first element with a box of its own: itself, or one in it. */
  const firstBoxIn = (element: Element): Element | undefined => {
    if (!hasContentsOnly(element)) return page.rectsOf(element).some(hasSize) ? element : undefined;
    for (const child of page.childrenOf(element)) {
      const found = child.nodeType === 1 ? firstBoxIn(child as Element) : undefined;
      if (found) return found;
    }
    return undefined;
  };
}
