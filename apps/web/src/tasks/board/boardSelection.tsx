import type { Task } from "@grove/schemas";
import type { RefObject } from "react";
import { SelectionMenu, TaskMenu, TaskSelectionBar } from "../lazyDialogs";
import type { TaskMenuKind } from "../taskMenu";
import { type CardSelection, useSelectedIds } from "./cardSelection";

/** An open menu of a card. */
export interface CardMenu {
  id: string;
  kind: TaskMenuKind;
  anchor: HTMLElement;
}

interface BoardSelectionProps {
  selection: CardSelection;
  /** The board's tasks, in its order. */
  tasks: readonly Task[];
  board: RefObject<HTMLElement | null>;
  menu: CardMenu | undefined;
  onMenuClose: () => void;
}

/** The open menu of a card, or of the selected cards, and the bar of the selection. */
export function BoardSelection({ selection, tasks, board, menu, onMenuClose }: BoardSelectionProps) {
  const ids = useSelectedIds(selection);
  const selected = ids.size === 0 ? [] : tasks.filter(({ id }) => ids.has(id));
  const menuTask = tasks.find(({ id }) => id === menu?.id);
  const clear = () => {
    selection.clear();
    // The focus would be lost when the bar disappears.
    board.current?.querySelector<HTMLElement>('[data-task] a[tabindex="0"]')?.focus();
  };
  return (
    <>
      {selected.length > 0 && <TaskSelectionBar tasks={selected} onClear={clear} />}
      {menu &&
        menuTask &&
        (menu.kind !== "all" && ids.has(menu.id) ? (
          <SelectionMenu tasks={selected} kind={menu.kind} anchor={menu.anchor} onClose={onMenuClose} />
        ) : (
          <TaskMenu
            task={menuTask}
            kind={menu.kind}
            anchor={menu.anchor}
            onClose={onMenuClose}
            onSelect={() => selection.toggle(menuTask.id)}
          />
        ))}
    </>
  );
}
