import { steps } from "./boardNavigation";

/** A position on the board: a column, and the card directly above. `after` is undefined at the top. */
export interface Position {
  status: string;
  after: string | undefined;
}

/** A card's move to a position. */
export interface Move extends Position {
  id: string;
}

/** Card ids by column. */
export type Cards = readonly { status: string; ids: readonly string[] }[];

export function positionOf(cards: Cards, id: string): Position | undefined {
  const column = cards.find(({ ids }) => ids.includes(id));
  return column && { status: column.status, after: column.ids[column.ids.indexOf(id) - 1] };
}

export function cardsAbove(cards: Cards, { id, status, after }: Move): number {
  const others = othersIn(cards, status, id);
  return after === undefined ? 0 : others.indexOf(after) + 1;
}

/**
 * Returns the position that an arrow key moves a lifted card to, if any. Unlike focus, a card can move into an empty
 * column.
 */
export function adjacentPosition(cards: Cards, move: Move, key: string): Position | undefined {
  const { id, status } = move;
  const column = cards.findIndex((each) => each.status === status);
  const [across, down] = steps[key] ?? [0, 0];
  const target = cards[column + across];
  if (!target || (across === 0 && down === 0)) return undefined;
  const others = othersIn(cards, target.status, id);
  const at = cardsAbove(cards, move) + down;
  if (at < 0 || (across === 0 && at > others.length)) return undefined;
  return { status: target.status, after: others[Math.min(at, others.length) - 1] };
}

const othersIn = (cards: Cards, status: string, id: string): string[] =>
  cards.find((column) => column.status === status)?.ids.filter((other) => other !== id) ?? [];
