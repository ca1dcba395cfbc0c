import { describe } from "../accessibility/describe";
import { nameOf } from "../accessibility/names";
import { ownText, textOf } from "../accessibility/text";
import { isInteractive } from "../dom/controls";
import { firstCharacters } from "../firstCharacters";
import { isShown } from "../visibleBox";
import type { Query } from "./find";
import { fold, rankOf } from "./textMatch";
import { walk } from "./walk";

/** The select that has an option with this text. */
export const selectWith = (text: string): string | undefined => {
  let found: string | undefined;
  walk(document.documentElement, (element) => {
    if (found !== undefined || element.localName !== "select") return;
    const { options } = element as HTMLSelectElement;
    const isHere = [...options].some(({ label }) => rankOf(label, text, true) !== undefined);
    if (isHere && isShown(element)) found = describe(element);
  });
  return found;
};

/** Descriptions of the visible elements that come closest to the query. */
export const nearest = ({ text, testId, selector }: Query): string[] => {
  const sought = fold(text ?? testId ?? selector ?? "");
  const pairs = (word: string) =>
    new Set(Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2)));
  const wanted = pairs(sought);
  const scored: { element: Element; score: number }[] = [];
  if (document.documentElement)
    walk(document.documentElement, (element) => {
      if (scored.length >= 5_000) return;
      const word =
        text === undefined
          ? (element.getAttribute("data-testid") ??
            (selector === undefined ? "" : `${element.localName}#${element.id}.${element.className}`))
          : isInteractive(element) || ownText(element).trim()
            ? firstCharacters(nameOf(element) || textOf(element), 80)
            : "";
      if (!word || !isShown(element)) return;
      const wordPairs = pairs(fold(word));
      const shared = [...wordPairs].filter((pair) => wanted.has(pair)).length;
      if (shared > 0)
        scored.push({
          element,
          score: (2 * shared) / (wordPairs.size + wanted.size) + (isInteractive(element) ? 0.1 : 0),
        });
    });
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, 5)
    .map(({ element }) => {
      const id = element.getAttribute("data-testid");
      return describe(element) + (text === undefined && id ? ` #${id}` : "");
    });
};
