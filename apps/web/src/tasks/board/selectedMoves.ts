import { type Cards, type Move, type Position, positionOf } from "./boardPosition";

/** A move, with the position that an undo restores. */
export interface ReversibleMove extends Move {
  from: Position;
}

/**
 * Returns the moves that put cards below one another at a position, in the order of the board. Undone in the same
 * order, each card finds the one above it in its place.
 */
export function movesOf(
  cards: Cards,
  ids: ReadonlySet<string>,
  { status, after }: Position,
): ReversibleMove[] {
  const column = cards.find((each) => each.status === status)?.ids ?? [];
  // The card above may be selected itself.
  const above = column.slice(0, after === undefined ? 0 : column.indexOf(after) + 1);
  let last = above.findLast((id) => !ids.has(id));
  return cards
    .flatMap((each) => each.ids)
    .filter((id) => ids.has(id))
    .flatMap((id) => {
      const from = positionOf(cards, id);
      const move = from && { id, status, after: last, from };
      last = id;
      return move ?? [];
    });
}
