/*
 * A rank is a fraction between 0 and 1: the hexadecimal digits after the point. The task with the greatest rank is
 * first. The rank of a task that was never moved is its id, which grows with the time at which it was made: so new
 * tasks are first. Ranks are compared as texts.
 */

/** The first digits of an id are the milliseconds since 1970. */
const TIME_DIGITS = 12;

/**
 * A short rank between two. Beyond the last one it is a step away, so that ranks do not grow there.
 * @param low undefined for a rank below all others
 * @param high undefined for a rank above all others
 */
export function rankBetween(low: string | undefined, high: string | undefined): string {
  const step = low === undefined ? high && stepFrom(high, -1) : high === undefined && stepFrom(low, 1);
  return step || middle(withoutTrailingZeros(low ?? ""), high && withoutTrailingZeros(high));
}

/** Returns this many ranks between two, lowest first. */
export function ranksBetween(low: string | undefined, high: string | undefined, count: number): string[] {
  if (count === 0) return [];
  const rank = rankBetween(low, high);
  const below = count >> 1;
  return [...ranksBetween(low, rank, below), rank, ...ranksBetween(rank, high, count - 1 - below)];
}

/** Without the zeros at its end, which change nothing. */
const withoutTrailingZeros = (rank: string) => rank.replace(/0+$/, "");

function stepFrom(rank: string, step: 1 | -1): string | undefined {
  const next = Number.parseInt(rank.slice(0, TIME_DIGITS).padEnd(TIME_DIGITS, "0"), 16) + step;
  return next > 0 && next < 16 ** TIME_DIGITS ? next.toString(16).padStart(TIME_DIGITS, "0") : undefined;
}

function middle(low: string, high: string | undefined): string {
  let at = 0;
  while (high !== undefined && (low[at] ?? "0") === high[at]) at += 1;
  const same = (high ?? "").slice(0, at);
  const [below, above] = [digitAt(low, at), high === undefined ? 16 : digitAt(high, at)];
  if (above - below > 1) return same + ((below + above) >> 1).toString(16);
  if (high !== undefined && high.length > at + 1) return high.slice(0, at + 1);
  return same + below.toString(16) + middle(low.slice(at + 1), undefined);
}

const digitAt = (rank: string, at: number) => Number.parseInt(rank[at] ?? "0", 16);
