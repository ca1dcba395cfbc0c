import { steps } from "./walk";

/** A place on the board: in a column, below another card. Without one it is the first. */
export interface Place {
  status: string;
  after: string | undefined;
}

/** A card that moves. */
export interface Move extends Place {
  id: string;
}

/** The ids of the cards of each column. */
export type Cards = readonly { status: string; ids: readonly string[] }[];

/** The place where a card stands. */
export function placeOf(cards: Cards, id: string): Place | undefined {
  const column = cards.find(({ ids }) => ids.includes(id));
  return column && { status: column.status, after: column.ids[column.ids.indexOf(id) - 1] };
}

/** How many cards would stand above one in its place. */
export function cardsAbove(cards: Cards, { id, status, after }: Move): number {
  const others = othersIn(cards, status, id);
  return after === undefined ? 0 : others.indexOf(after) + 1;
}

/**
 * The place to which a key moves a lifted card: up and down in its column, left and right to the column beside.
 * Undefined if the key leads nowhere.
 */
export function placeBeside(cards: Cards, move: Move, key: string): Place | undefined {
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
