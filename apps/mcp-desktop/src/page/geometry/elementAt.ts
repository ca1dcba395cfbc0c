import { frameDocument, shadowOf } from "../dom/tree";
import { apply, inverse } from "./affine";
import { mapOf } from "./frameTransforms";

/** The innermost element at a point. */
export const elementAt = (x: number, y: number): Element | undefined => {
  let root: Document | ShadowRoot = document;
  let left = x;
  let top = y;
  let element: Element | undefined;
  for (;;) {
    const found: Element | null = root.elementFromPoint(left, top);
    if (!found || found === element) return element;
    element = found;
    const inner: Document | ShadowRoot | undefined = shadowOf(element) ?? frameDocument(element);
    if (!inner) return element;
    if (!shadowOf(element)) {
      ({ x: left, y: top } = apply(inverse(mapOf(inner as Document)), { x, y }));
    }
    root = inner;
  }
};
