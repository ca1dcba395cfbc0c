import { matchSorter } from "match-sorter";
import type { Entry, EntryGroup } from "../ui/searchDialog";

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

/** Moves the entries of all groups whose title equals the text into a group before all others. */
export function exactFirst(groups: readonly EntryGroup[], text: string): EntryGroup[] {
  const query = text.trim().toLowerCase();
  const isExact = ({ title }: Entry) => title.toLowerCase() === query;
  const exact = groups.flatMap(({ items }) => items.filter(isExact));
  if (exact.length === 0) return [...groups];
  const others = groups.map(({ value, items }) => ({ value, items: items.filter((each) => !isExact(each)) }));
  return [{ value: "Best match", items: exact }, ...others.filter(({ items }) => items.length > 0)];
}
