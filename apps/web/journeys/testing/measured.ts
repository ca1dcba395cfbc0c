import type { Page } from "@grove/testing/browser";
import { expect } from "vitest";

/** How many times longer than its aim anything may take on a busy machine. `measure` is for a quiet one. */
const SLACK = 30;

/** A number that the console aims at: a time in milliseconds, if it has no unit of its own. */
export interface Measured {
  name: string;
  value: number;
  aim: number;
  unit?: string;
}

/** Prints what was measured, one line each, and expects that it is not many times what it should be. */
export function report(...all: Measured[]): void {
  for (const { name, value, aim, unit = "ms" } of all) {
    const verdict = value <= aim ? "met" : "missed";
    const shown = value < 10 ? value.toFixed(1) : Math.round(value);
    process.stdout.write(
      `${name.padEnd(64)} ${`${shown} ${unit}`.padStart(9)}   aim ${aim} ${unit}: ${verdict}\n`,
    );
    expect(value, name).toBeLessThanOrEqual(aim * (unit === "ms" ? SLACK : 1));
  }
}

/** The value below which a part of the values are, such as 0.98 of them. The values need no order. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** The processor time of the page's main thread until now, in milliseconds. Other work of the machine is not in it. */
export async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
  };
}

/**
 * Measures how long the page takes for its frames, from the beginning of their work to their paint.
 * @returns ends it, with the milliseconds of the longest; 0 if none took 50 or more, which browsers do not report
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
