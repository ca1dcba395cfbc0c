import { parentOf } from "../dom/tree";
import { type Affine, compose, identity } from "./affine";

/** How a frame shows its document. */
export interface FrameTransform {
  /** Maps the frame's document to the one around it. */
  readonly map: Affine;
  /** Whether the map is right: not for a frame in perspective. */
  readonly isCertain: boolean;
}

interface Linear {
  readonly matrix: DOMMatrix;
  readonly isPlain: boolean;
}

/** Kept until the current evaluation ends: scrolling changes positions, but not these. */
let transformByFrame: WeakMap<Element, Linear> | undefined;

/** The product of the transforms of an element and its ancestors, without their origins. */
const linearOf = (frame: Element): Linear => {
  const cached = transformByFrame?.get(frame);
  if (cached) return cached;
  let matrix = new DOMMatrix();
  let isPlain = true;
  for (
    let at: Element | undefined = frame;
    at && at.ownerDocument === frame.ownerDocument;
    at = parentOf(at)
  ) {
    const { transform, rotate, scale, perspective } = getComputedStyle(at);
    if (transform === "none" && rotate === "none" && scale === "none" && perspective === "none") continue;
    isPlain = false;
    const frameMatrix = new DOMMatrix();
    if (rotate !== "none") frameMatrix.multiplySelf(new DOMMatrix(rotation(rotate)));
    if (scale !== "none") frameMatrix.multiplySelf(new DOMMatrix(`scale3d(${factors(scale)})`));
    if (transform !== "none") frameMatrix.multiplySelf(new DOMMatrix(transform));
    matrix = frameMatrix.multiply(matrix);
  }
  const linear = { matrix, isPlain };
  if (!transformByFrame) {
    transformByFrame = new WeakMap();
    queueMicrotask(() => {
      transformByFrame = undefined;
    });
  }
  transformByFrame.set(frame, linear);
  return linear;
};

/** `45deg`, `x 45deg` or `1 1 0 45deg`, as a function. */
const rotation = (rotate: string): string => {
  const parts = rotate.split(" ");
  const angle = parts.pop() ?? "0deg";
  const axes: Record<string, string> = { x: "1,0,0", y: "0,1,0", z: "0,0,1" };
  const [first = "z"] = parts;
  return `rotate3d(${parts.length === 3 ? parts.join(",") : (axes[first] ?? axes.z)},${angle})`;
};

const factors = (scale: string): string => {
  const [x = "1", y = x, z = "1"] = scale.split(" ");
  return `${x},${y},${z}`;
};

/** Returns how a frame shows its document in the document that it is in. */
export const frameTransform = (frame: Element): FrameTransform => {
  const box = frame.getBoundingClientRect();
  const style = getComputedStyle(frame);
  const left = frame.clientLeft + Number.parseFloat(style.paddingLeft);
  const top = frame.clientTop + Number.parseFloat(style.paddingTop);
  const { matrix, isPlain } = linearOf(frame);
  if (isPlain) return { map: [1, 0, 0, 1, box.left + left, box.top + top], isCertain: true };
  const { m11: a, m12: b, m21: c, m22: d } = matrix;
  const { offsetWidth: width, offsetHeight: height } = frame as HTMLElement;
  // The middle of the frame is in the middle of the box around it.
  const [across, down] = [left - width / 2, top - height / 2];
  const x = box.left + box.width / 2 + a * across + c * down;
  const y = box.top + box.height / 2 + b * across + d * down;
  const fits = (shown: number, expected: number) =>
    Math.abs(shown - expected) <= Math.max(2, expected * 0.02);
  const isCertain =
    fits(box.width, Math.abs(a) * width + Math.abs(c) * height) &&
    fits(box.height, Math.abs(b) * width + Math.abs(d) * height) &&
    Math.abs(a * d - b * c) > 1e-6;
  return { map: [a, b, c, d, x, y], isCertain };
};

const frameOf = (inner: Document) => inner.defaultView?.frameElement ?? undefined;

/** Returns the transform from a document of this origin to the outermost one that this script can access. */
export const mapOf = (inner: Document): Affine => {
  let map = identity();
  for (let frame = frameOf(inner); frame; frame = frameOf(frame.ownerDocument))
    map = compose(frameTransform(frame).map, map);
  return map;
};

/** Whether the computed map is correct. */
export const isCertain = (inner: Document): boolean => {
  for (let frame = frameOf(inner); frame; frame = frameOf(frame.ownerDocument))
    if (!frameTransform(frame).isCertain) return false;
  return true;
};
