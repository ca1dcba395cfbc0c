/** A visible row of a tree. */
export interface TreeItem {
  /** Identifies the row. */
  key: string;
  /** 1 at the top. */
  level: number;
  /** The key of the row that contains this one; undefined at the top. */
  parent: string | undefined;
  /** Whether a directory is open; undefined for rows that cannot be opened. */
  isOpen?: boolean | undefined;
  /** The position among the siblings, counted from 1, and their number. */
  position?: number;
  siblings?: number;
}

/** An action of a key in a tree, on the row with this key. */
export type TreeAction = { moveTo: string } | { toggle: string } | { choose: string };

/** Returns what a key does in a tree, as in the tree pattern of the ARIA practices; undefined for other keys. */
export function treeAction(
  rows: readonly TreeItem[],
  activeKey: string | undefined,
  key: string,
): TreeAction | undefined {
  const at = Math.max(
    0,
    rows.findIndex((row) => row.key === activeKey),
  );
  const row = rows[at];
  if (!row) return undefined;
  const moveTo = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))];
    return next && { moveTo: next.key };
  };
  switch (key) {
    case "ArrowDown":
      return moveTo(at + 1);
    case "ArrowUp":
      return moveTo(at - 1);
    case "Home":
      return moveTo(0);
    case "End":
      return moveTo(rows.length - 1);
    case "ArrowRight":
      if (row.isOpen === undefined) return undefined;
      return row.isOpen ? moveTo(at + 1) : { toggle: row.key };
    case "ArrowLeft":
      if (row.isOpen) return { toggle: row.key };
      return row.parent === undefined ? undefined : { moveTo: row.parent };
    case "Enter":
    case " ":
      return row.isOpen === undefined ? { choose: row.key } : { toggle: row.key };
    default:
      return undefined;
  }
}
