import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 25;

/**
 * Waits for a state, and returns the first answer that is neither false nor undefined.
 * @throws {Error} when it does not come within `withinMs`; the limit only ends tests that hang
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  withinMs = 120_000,
): Promise<Exclude<T, false | undefined>> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found as Exclude<T, false | undefined>;
    if (performance.now() > end) throw new Error(`Waited ${withinMs / 1_000} s in vain until ${what}.`);
    await sleep(EVERY_MS);
  }
}
