import { matchSorter } from "match-sorter";
import type { EntryGroup } from "../ui/finder";

/** The maximum number of entries per group. */
const MAX_ENTRIES = 8;

/** Filters each group fuzzily, best match first. Without a text, keeps the original order. */
export function filterEntries(groups: readonly EntryGroup[], text: string): EntryGroup[] {
  const query = text.trim();
  return groups
    .map(({ value, items }) => ({
      value,
      items: (query === ""
        ? items
        : matchSorter(items, query, { keys: ["title", "hint"], baseSort: (a, b) => a.index - b.index })
      ).slice(0, MAX_ENTRIES),
    }))
    .filter(({ items }) => items.length > 0);
}
