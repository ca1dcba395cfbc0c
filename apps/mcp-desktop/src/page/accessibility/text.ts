import { childrenOf, isLeaf } from "../dom/tree";
import { isGone, isVisible } from "../geometry/visibility";

const inline =
  /^(a|abbr|b|bdi|bdo|cite|code|data|dfn|em|i|kbd|label|mark|q|s|samp|slot|small|span|strong|sub|sup|time|tspan|u|var|button)$/;

/** Text directly in the element. */
export const ownText = (element: Element): string => {
  if (isLeaf(element)) return element.textContent ?? "";
  let text = "";
  for (const child of childrenOf(element)) if (child.nodeType === 3) text += child.nodeValue;
  return text;
};

/** The visible text in an element, in one line; blocks are separated by a line break. */
export const textOf = (element: Element): string => {
  if (isLeaf(element)) return (element.textContent ?? "").slice(0, 20_000).replace(/\s+/g, " ").trim();
  let text = "";
  const visit = (node: Node, isSeen: boolean): void => {
    if (text.length > 20_000) return;
    if (node.nodeType === 3 && isSeen) text += (node.nodeValue ?? "").replace(/\s+/g, " ");
    if (node.nodeType !== 1) return;
    const child = node as Element;
    if (/^(script|style|noscript|template)$/.test(child.localName)) return;
    const visible = isVisible(child);
    if (!visible && isGone(child)) return;
    const shows = visible || getComputedStyle(child).visibility === "visible";
    if (child.localName === "br") text += "\n";
    if (child.localName === "img") text += child.getAttribute("alt") ?? "";
    if (child.localName === "textarea" || child.localName === "select") return;
    const isBlock = child !== element && !inline.test(child.localName);
    if (isBlock) text += "\n";
    const label = child === element ? null : child.getAttribute("aria-label");
    if (label) text += shows ? label : "";
    else for (const inner of childrenOf(child)) visit(inner, shows);
    if (isBlock) text += "\n";
  };
  visit(element, true);
  return text.replace(/ *\n[ \n]*/g, "\n").trim();
};
