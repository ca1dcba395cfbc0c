/** A sequence of numbers from 0 to 1 that a seed determines (mulberry32). */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns one of the items, with a probability in proportion to its weight. */
export function pick<T>(random: Random, items: readonly (readonly [weight: number, item: T])[]): T {
  let remaining = random() * items.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, item] of items) {
    remaining -= weight;
    if (remaining < 0) return item;
  }
  throw new Error("There is nothing to pick from.");
}
