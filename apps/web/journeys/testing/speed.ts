import type { Page } from "@grove/testing/browser";

/** Throttles a page's CPU to a quarter. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Throttles a page's network to 10 Mbit/s with 40 ms latency, and disables the cache. */
export async function narrow(page: Page): Promise<void> {
  const bytesPerSecond = 10_000_000 / 8;
  const session = await page.context().newCDPSession(page);
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 40,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** A key press or click, and how long the page took to paint its effect. */
export interface Interaction {
  /** In milliseconds, rounded to 8. A time below 16 counts as 16. */
  duration: number;
  /** The event with a breakdown of its time; "" for a fast one. */
  words: string;
}

/**
 * Starts to measure interactions.
 * @returns a function that ends it and returns all of them, fastest first
 */
export async function measureInteractions(page: Page): Promise<() => Promise<Interaction[]>> {
  await page.evaluate(() => {
    type Entry = PerformanceEventTiming & { interactionId: number };
    const counts = performance as Performance & { interactionCount?: number };
    const before = counts.interactionCount ?? 0;
    const longest = new Map<number, Interaction>();
    const wordsOf = ({ name, startTime, processingStart, processingEnd, duration }: Entry) => {
      const times = [processingStart - startTime, processingEnd - processingStart];
      const [delay, work] = times.map(Math.round);
      const paint = Math.round(startTime + duration - processingEnd);
      return `${name} at ${location.pathname}: waited ${delay}, worked ${work}, afterPaint ${paint}`;
    };
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries as Entry[]) {
        const { interactionId: id, duration } = entry;
        if (id > 0 && duration > (longest.get(id)?.duration ?? 0))
          longest.set(id, { duration, words: wordsOf(entry) });
      }
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    const interactions = () => {
      add(observer.takeRecords());
      const quick = Math.max(0, (counts.interactionCount ?? 0) - before - longest.size);
      const all = [...Array<Interaction>(quick).fill({ duration: 16, words: "" }), ...longest.values()];
      return all.sort((a, b) => a.duration - b.duration);
    };
    Object.assign(globalThis, { interactions });
  });
  return () => page.evaluate<Interaction[]>("interactions()");
}
