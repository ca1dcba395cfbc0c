import { type ReactNode, type RefObject, useId, useRef } from "react";
import { onKeys } from "./inputMethod";
import { type TreeAction, type TreeItem, treeAction } from "./treeKeys";
import { ROW_PX, useRowWindow } from "./useRowWindow";

interface TreeProps<Row extends TreeItem> {
  label: string;
  rows: readonly Row[];
  box?: RefObject<HTMLDivElement | null>;
  /** The key of the row that the keys act on. */
  active: string | undefined;
  onActive: (key: string) => void;
  isSelected: (row: Row) => boolean;
  /** Opens or closes a directory. */
  onToggle: (key: string) => void;
  /** Called for a row that cannot be opened or closed. */
  onChoose: (row: Row) => void;
  titleOf: (row: Row) => string | undefined;
  children: (row: Row) => ReactNode;
}

/** A virtualized tree. The focus stays on the tree, which names its active row to screen readers. */
export function Tree<Row extends TreeItem>({ label, rows, active, children, ...props }: TreeProps<Row>) {
  const { onActive, onToggle, onChoose, isSelected, titleOf } = props;
  const id = useId();
  const ownBox = useRef<HTMLDivElement>(null);
  const box = props.box ?? ownBox;
  const found = rows.findIndex(({ key }) => key === active);
  const { first, last, onScroll, style } = useRowWindow(box, rows.length, found);
  const at = Math.max(0, found);
  const run = (action: TreeAction) => {
    if ("moveTo" in action) return onActive(action.moveTo);
    if ("toggle" in action) return onToggle(action.toggle);
    const row = rows.find(({ key }) => key === action.choose);
    if (row) onChoose(row);
  };
  const click = (row: Row) => {
    onActive(row.key);
    const action = treeAction(rows, row.key, "Enter");
    if (action) run(action);
  };
  return (
    <div
      ref={box}
      role="tree"
      aria-label={label}
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
        {rows.slice(first, last).map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys.
          <div
            key={row.key}
            id={`${id}-${first + index}`}
            role="treeitem"
            tabIndex={-1}
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.siblings}
            aria-expanded={row.isOpen}
            aria-selected={isSelected(row)}
            data-active={first + index === at || undefined}
            title={titleOf(row)}
            onClick={() => click(row)}
            style={{ height: ROW_PX, paddingLeft: row.level * 14 - 4 }}
            className="flex cursor-pointer items-center gap-1.5 pr-3 text-sm outline-none hover:bg-hover aria-selected:bg-accent-soft group-focus-visible:data-active:outline-2 group-focus-visible:data-active:-outline-offset-2 group-focus-visible:data-active:outline-accent"
          >
            {children(row)}
          </div>
        ))}
      </div>
    </div>
  );
}
