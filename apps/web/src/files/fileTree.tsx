import { visibleName } from "@grove/schemas";
import { useEffect, useId, useRef } from "react";
import { ROW_PX, useRowWindow } from "../hooks/useRowWindow";
import { onKeys } from "../ui/inputMethod";
import { TreeRowContent } from "./treeRowContent";
import { type TreeAction, type TreeRow, treeAction } from "./treeRows";
import type { useTree } from "./useTree";

interface FileTreeProps {
  tree: ReturnType<typeof useTree>;
  /** The open file. */
  file: string | undefined;
  onOpenFile: (path: string) => void;
}

/** The virtualized tree of files. The focus stays on the tree, which names its active row to screen readers. */
export function FileTree({
  tree: { rows, active, setActive, toggle, retry },
  file,
  onOpenFile,
}: FileTreeProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const found = rows.findIndex(({ key }) => key === active);
  const { first, last, onScroll, style } = useRowWindow(box, rows.length, found);
  const at = Math.max(0, found);
  useEffect(() => {
    // A shortcut focuses the panel while the tree is still loading.
    if (document.activeElement?.matches("[tabindex='-1']") && document.activeElement.contains(box.current))
      box.current?.focus({ preventScroll: true });
  }, []);
  const run = (action: TreeAction) => {
    if ("moveTo" in action) setActive(action.moveTo);
    else if ("toggle" in action) toggle(action.toggle);
    else if ("retry" in action) retry(action.retry);
    else onOpenFile(action.openFile);
  };
  const click = (row: TreeRow) => {
    setActive(row.key);
    const action = treeAction(rows, row.key, "Enter");
    if (action) run(action);
  };
  return (
    <div
      ref={box}
      role="tree"
      aria-label="Files"
      aria-activedescendant={at >= first && at < last ? `${id}-${at}` : undefined}
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={onKeys((event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const action = treeAction(rows, active, event.key);
        if (!action) return;
        event.preventDefault();
        run(action);
      })}
      className="group min-h-0 flex-1 overflow-y-auto outline-none"
    >
      <div role="presentation" style={style}>
        {rows.slice(first, last).map((row, index) => {
          const isEntry = "path" in row;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
            <div
              key={row.key}
              id={`${id}-${first + index}`}
              role="treeitem"
              tabIndex={-1}
              aria-level={row.level}
              aria-posinset={isEntry ? row.position : undefined}
              aria-setsize={isEntry ? row.siblings : undefined}
              aria-expanded={isEntry ? row.isOpen : undefined}
              aria-selected={isEntry && row.path === file}
              data-active={first + index === at || undefined}
              title={isEntry ? visibleName(row.path) : undefined}
              onClick={() => click(row)}
              style={{ height: ROW_PX, paddingLeft: row.level * 14 - 4 }}
              className="flex cursor-pointer items-center gap-1.5 pr-3 text-sm outline-none hover:bg-hover aria-selected:bg-accent-soft group-focus-visible:data-active:outline-2 group-focus-visible:data-active:-outline-offset-2 group-focus-visible:data-active:outline-accent"
            >
              <TreeRowContent row={row} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
