import { firstCharacters } from "../firstCharacters";
import { boxAround } from "../geometry/affine";
import { isVisible } from "../geometry/visibility";
import { find } from "../search/find";
import { collect, type Entry, type SnapshotOptions } from "./entries";

export interface Snapshot {
  readonly title: string;
  readonly url: string;
  /** One line per element, indented by its depth. */
  readonly lines: string[];
  /** The number of elements to show, and of those that were left out. */
  readonly total: number;
  readonly left: number;
  readonly refused?: string;
}

/** Groups with nothing shown in them are dropped. */
const withoutEmptyGroups = (entries: Entry[]): Entry[] => {
  const keptEntries: Entry[] = [];
  let below = -1;
  for (const entry of [...entries].reverse()) {
    if (!entry.isGroup || below > entry.depth || entry.element.localName === "iframe") {
      keptEntries.push(entry);
      below = entry.depth;
    }
  }
  return keptEntries.reverse();
};

/** If not everything fits, elements in view come first, then those that follow. */
const nearestEntries = (entries: readonly Entry[], count: number): Set<Entry> => {
  const firstInView = entries.findIndex(({ inView, isGroup }) => inView && !isGroup);
  const nearOf = (entry: Entry, index: number) => (entry.inView ? 0 : index > firstInView ? 1 : 2);
  const byNear = entries
    .map((entry, index) => ({ entry, near: nearOf(entry, index) }))
    .sort((one, other) => one.near - other.near);
  return new Set(byNear.slice(0, count).map(({ entry }) => entry));
};

export const snapshot = (options: SnapshotOptions): Snapshot => {
  const facts = { title: firstCharacters(document.title, 100), url: location.href };
  let root: Element | null | undefined = document.body ?? document.documentElement;
  if (options.selector !== undefined) {
    const found = find({ selector: options.selector });
    if (!Array.isArray(found)) return { ...facts, lines: [], total: 0, left: 0, refused: found.message };
    root = found.find(isVisible) ?? found[0];
  }
  if (!root) return { ...facts, lines: [], total: 0, left: 0 };
  const entries = withoutEmptyGroups(collect(root, options));
  const isKept =
    entries.length > options.maxElements ? nearestEntries(entries, options.maxElements) : undefined;
  const lines: string[] = [];
  let skipped = 0;
  let lastSize = "";
  /**
   * Elements out of view have no place, since they cannot be clicked. A size is left out if it equals the one above.
   */
  const placeOf = ({ box, hasPlace }: Entry) => {
    if (!hasPlace) return "";
    const { x, y, width, height } = boxAround(options.map, box);
    const size = ` ${Math.round(width)}x${Math.round(height)}`;
    const place = ` ${Math.round(x)},${Math.round(y)}`;
    if (size === lastSize) return place;
    lastSize = size;
    return place + size;
  };
  for (const entry of entries) {
    if (isKept?.has(entry) === false) {
      skipped++;
      continue;
    }
    if (skipped > 0) lines.push(`… ${skipped} more`);
    skipped = 0;
    lines.push(" ".repeat(Math.min(entry.depth, 12)) + entry.line() + placeOf(entry));
  }
  if (skipped > 0) lines.push(`… ${skipped} more`);
  return { ...facts, lines, total: entries.length, left: isKept ? entries.length - isKept.size : 0 };
};
