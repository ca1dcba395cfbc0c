import { childrenOf } from "../dom/tree";
import { isVisible } from "../geometry/visibility";
import { rankOf } from "./textMatch";

/** The place of a matched text in an element. */
interface Spot {
  /** The innermost element around it. */
  readonly element: Element;
  /** In CSS pixels of the document's own viewport. */
  readonly rects: readonly DOMRect[];
}

/** The place of the text in an element; undefined if it is a label, a placeholder, or split into pieces. */
export const spotOf = (element: Element, wanted: string): Spot | undefined => {
  let found: { node: Node; parent: Element; rank: number } | undefined;
  let remaining = 2_000;
  const visit = (parent: Element): void => {
    for (const child of childrenOf(parent)) {
      if (remaining-- < 0 || found?.rank === 0) return;
      if (child.nodeType === 1) visit(child as Element);
      if (child.nodeType !== 3) continue;
      const rank = rankOf(child.nodeValue ?? "", wanted, true);
      if (rank !== undefined && rank < (found?.rank ?? 9) && isVisible(parent))
        found = { node: child, parent, rank };
    }
  };
  visit(element);
  if (!found) return undefined;
  const range = found.parent.ownerDocument.createRange();
  range.selectNodeContents(found.node);
  return { element: found.parent, rects: [...range.getClientRects()] };
};
