import { matchSorter } from "match-sorter";
import type { EntryGroup } from "../ui/finder";

/** How many lines a group shows. */
const SHOWN = 8;

/**
 * The groups with the entries that a text finds, also by single letters; the best first in each. Without a text, all
 * groups as they are.
 */
export function found(groups: readonly EntryGroup[], text: string): EntryGroup[] {
  const query = text.trim();
  return groups
    .map(({ value, items }) => ({
      value,
      items: (query === ""
        ? items
        : matchSorter(items, query, { keys: ["title", "hint"], baseSort: (a, b) => a.index - b.index })
      ).slice(0, SHOWN),
    }))
    .filter(({ items }) => items.length > 0);
}
