import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 20;

type Falsy = false | 0 | "" | null | undefined;

/**
 * Resolves with the value of `read` once that is truthy. Where the test asserts that state, prefer `expect.poll`, which
 * shows the last value.
 * @param what completes "Waited in vain until …"; by default the source of `read`
 * @param withinMs only ends tests that hang
 * @throws {Error} after that time, and whatever `read` throws, immediately
 */
export async function until<T>(
  read: () => T | Promise<T>,
  what = `${read}`,
  withinMs = 120_000,
): Promise<Exclude<T, Falsy>> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await read();
    if (isTruthy(found)) return found;
    if (performance.now() > end) throw new Error(`Waited ${withinMs / 1_000} s in vain until ${what}.`);
    await sleep(EVERY_MS);
  }
}

const isTruthy = <T>(value: T): value is Exclude<T, Falsy> => Boolean(value);
