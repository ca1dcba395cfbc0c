import type { ListedPoints } from "@grove/schemas";

type Point = ListedPoints["points"][number];

/** The changes between two restore points. */
export interface PointRow {
  /** The point before the changes, to which an undo returns. */
  start: Point;
  /** The point after the changes; undefined for those that no point holds yet. */
  end: Point | undefined;
  files: number;
  added: number;
  removed: number;
}

/**
 * Returns what each turn changed, newest first. Turns without changed files are left out.
 * @param points newest first
 * @param unsaved the changes since the newest point
 */
export function pointRows(
  points: readonly Point[],
  unsaved: Pick<PointRow, "files" | "added" | "removed"> | undefined,
): PointRow[] {
  const [newest] = points;
  const saved = points.flatMap((end, index) => {
    const start = points[index + 1];
    const { files, added, removed } = end;
    return start ? [{ start, end, files, added, removed }] : [];
  });
  const current = newest && unsaved ? [{ start: newest, end: undefined, ...unsaved }] : [];
  return [...current, ...saved].filter(({ files }) => files > 0);
}
