import { labelOf } from "../accessibility/labels";
import { childrenOf, partsOf } from "../dom/tree";
import { isGone } from "../geometry/visibility";

/** Visits every rendered element from `root` down, through shadow roots and frames, in display order. */
export const walk = (root: Element, visit: (element: Element) => void): void => {
  if (/^(script|style|noscript|template|head)$/.test(root.localName) || isGone(root)) {
    // A hidden control is reached through its label.
    if (root.localName === "input" && labelOf(root)) visit(root);
    return;
  }
  visit(root);
  if (root.localName === "svg") {
    for (const part of partsOf(root)) {
      if (part.parentElement?.localName === "foreignObject") walk(part, visit);
      else if (!isGone(part)) visit(part);
    }
    return;
  }
  for (const child of childrenOf(root)) if (child.nodeType === 1) walk(child as Element, visit);
};
