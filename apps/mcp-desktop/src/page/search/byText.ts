import { byIds, nameOf } from "../accessibility/names";
import { textOf } from "../accessibility/text";
import { isInteractive } from "../dom/controls";
import { childrenOf, parentOf } from "../dom/tree";
import { isShown } from "../visibleBox";
import { rankOf } from "./textMatch";
import { walk } from "./walk";

interface Match {
  readonly rank: number;
  /** Only one of the element's lines matches, so an element in that line may be meant instead. */
  readonly isPart: boolean;
  readonly isControl: boolean;
}

const best = (texts: readonly string[], wanted: string, fuzzy: boolean): number | undefined => {
  let lowestRank: number | undefined;
  // Most often all of them are equal.
  for (const text of new Set(texts)) {
    if (text === "") continue;
    const rank = rankOf(text, wanted, fuzzy);
    if (rank !== undefined && (lowestRank === undefined || rank < lowestRank)) lowestRank = rank;
  }
  return lowestRank;
};

const ownTexts = (element: Element): string =>
  childrenOf(element)
    .map((child) => (child.nodeType === 3 ? (child.nodeValue ?? "") : ""))
    .join(" ");

/**
 * Compares everything that a person would take for the element's text: its name, its visible text, its placeholder.
 */
const matchOf = (element: Element, wanted: string, fuzzy: boolean): Match | undefined => {
  const isControl = isInteractive(element);
  const isNamed = isControl || element.hasAttribute("aria-label") || /^(img|svg)$/.test(element.localName);
  const texts = ownTexts(element);
  const isText = texts.trim() !== "" || element.localName === "text";
  if (!isNamed && !isText) return undefined;
  const shown = isControl || isText ? textOf(element) : "";
  const named = isNamed ? [nameOf(element), element.getAttribute("placeholder") ?? ""] : [];
  const rank = best([...named, shown, texts], wanted, fuzzy);
  const lines = shown.split("\n");
  const part = rank === 0 || lines.length < 2 ? undefined : best(lines, wanted, fuzzy);
  if (part !== undefined && (rank === undefined || part < rank))
    return { rank: part, isPart: true, isControl };
  return rank === undefined ? undefined : { rank, isPart: false, isControl };
};

export const isLoose = (element: Element, wanted: string): boolean =>
  (matchOf(element, wanted, true)?.rank ?? 0) > 1;

/**
 * Returns the visible elements that contain a text, best first. Leaves out nested matches, see {@link keepMeant}.
 */
export const byText = (wanted: string, fuzzy: boolean, among: readonly Element[] | undefined): Element[] => {
  const matches = new Map<Element, Match>();
  const consider = (element: Element) => {
    const match = matchOf(element, wanted, fuzzy);
    if (match && isShown(element)) matches.set(element, match);
  };
  if (among) for (const element of among) consider(element);
  // A new document may have no element yet.
  else if (document.documentElement) walk(document.documentElement, consider);
  if (!among) keepMeant(matches);
  const orderOf = ({ rank, isPart }: Match) => 2 * rank + (isPart ? 1 : 0);
  return [...matches].sort(([, a], [, b]) => orderOf(a) - orderOf(b)).map(([element]) => element);
};

/** Removes all but one of nested matches: keeps the control that the text names, otherwise the innermost element. */
const keepMeant = (matches: Map<Element, Match>) => {
  for (const [element, inner] of [...matches]) {
    for (let at = parentOf(element); at; at = parentOf(at)) {
      const outer = matches.get(at);
      if (outer === undefined) continue;
      const isNameOfOuter = outer.isControl && !outer.isPart && !inner.isControl;
      if (isNameOfOuter && outer.rank <= inner.rank) matches.delete(element);
      else if (!isNameOfOuter && inner.rank <= outer.rank) matches.delete(at);
    }
  }
  for (const [control, { rank, isControl }] of [...matches]) {
    for (const label of isControl ? byIds(control, "aria-labelledby") : []) {
      const match = matches.get(label);
      if (match && !match.isControl && match.rank >= rank) matches.delete(label);
    }
  }
  for (const element of [...matches.keys()]) {
    const control = element.localName === "label" ? (element as HTMLLabelElement).control : null;
    if (control && matches.has(control)) matches.delete(element);
  }
};
