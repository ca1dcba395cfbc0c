import type { Task } from "@grove/schemas";
import { useMoveTasks } from "../taskMutations";
import { type Cards, type Move, type Position, positionOf } from "./boardPosition";
import type { CardSelection } from "./cardSelection";
import { movesOf } from "./selectedMoves";

/** Returns functions that move one card, and that drop a dragged card or, if it is selected, all selected cards. */
export function useBoardMoves(tasks: Task[], cards: Cards, selection: CardSelection) {
  const moveTasks = useMoveTasks();

  function move({ id, status, after }: Move, from: Position | undefined): void {
    const task = tasks.find((each) => each.id === id);
    if (task && from && (from.status !== status || from.after !== after))
      moveTasks([{ id, title: task.title, status, after, from }]);
  }

  function drop(dropped: Move): void {
    if (!selection.has(dropped.id)) {
      move(dropped, positionOf(cards, dropped.id));
      return;
    }
    const titles = new Map(tasks.map(({ id, title }) => [id, title]));
    const moves = movesOf(cards, selection.ids(), dropped);
    moveTasks(moves.map((each) => ({ ...each, title: titles.get(each.id) ?? "" })));
  }

  return { move, drop };
}
