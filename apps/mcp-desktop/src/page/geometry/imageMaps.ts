import { isLaidOut, styleOf } from "./layout";

/** The image on which an area of an image map is shown. */
export const imageOf = (area: Element): HTMLImageElement | undefined => {
  const name = area.closest("map")?.name;
  if (!name) return undefined;
  const root = area.getRootNode() as Document | ShadowRoot;
  const images = [...root.querySelectorAll<HTMLImageElement>("img[usemap]")];
  return images.find((image) => image.useMap === `#${name}` && isLaidOut(image));
};

/** The upright rectangle around an area's shape. */
export const areaRects = (area: HTMLAreaElement): DOMRect[] => {
  const image = imageOf(area);
  if (!image) return [];
  const box = image.getBoundingClientRect();
  const style = styleOf(image);
  const left = image.clientLeft + Number.parseFloat(style.paddingLeft);
  const top = image.clientTop + Number.parseFloat(style.paddingTop);
  const [x, y, width, height] = shapeOf(area, image.width, image.height);
  const across = image.offsetWidth > 0 ? box.width / image.offsetWidth : 1;
  const down = image.offsetHeight > 0 ? box.height / image.offsetHeight : 1;
  return [new DOMRect(box.x + (left + x) * across, box.y + (top + y) * down, width * across, height * down)];
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
