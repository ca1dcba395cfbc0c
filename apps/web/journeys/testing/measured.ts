import type { Page } from "@grove/testing/browser";
import { expect } from "vitest";

/** The suite's tolerance, as a multiple of the target, because its machine is busy. `measure` needs an idle one. */
const SLACK = 30;

/** A measured value and its target: in milliseconds, unless it has a unit. */
export interface Measured {
  name: string;
  value: number;
  aim: number;
  unit?: string;
}

/** Prints the measured values, one per line, and expects none to exceed the tolerance. */
export function report(...all: Measured[]): void {
  for (const { name, value, aim, unit = "ms" } of all) {
    const verdict = value <= aim ? "met" : "missed";
    const shown = value < 10 ? value.toFixed(1) : Math.round(value);
    process.stdout.write(
      `${name.padEnd(64)} ${`${shown} ${unit}`.padStart(9)}   aim ${aim} ${unit}: ${verdict}\n`,
    );
    expect(value, name).toBeLessThanOrEqual(aim * (unit === "" ? 1 : SLACK));
  }
}

/** Returns a quantile, such as 0.98, of unsorted values. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the CPU time of the page's main thread so far, in milliseconds. */
export async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
}

/**
 * Measures the page's frames, from the start of their work to their paint.
 * @returns a function that ends it and returns the longest frame in milliseconds; 0 if none took at least 50, which
 * browsers do not report
 */
export async function longestFrame(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const long: number[] = [];
    const add = (entries: PerformanceEntryList) => long.push(...entries.map(({ duration }) => duration));
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "long-animation-frame" });
    const end = () => {
      add(observer.takeRecords());
      observer.disconnect();
      return Math.max(0, ...long);
    };
    Object.assign(globalThis, { endFrames: end });
  });
  return () => page.evaluate<number>("endFrames()");
}
