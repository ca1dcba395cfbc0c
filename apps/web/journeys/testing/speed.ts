import type { Page } from "@grove/testing/browser";

/** Gives a page a quarter of the processor. */
export async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Gives a page a slow line, and nothing from an earlier visit: 10 Mbit/s, and 40 ms for each answer. */
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

/** A key or a click, and how long the page took to paint what it changed. */
export interface Interaction {
  /** In milliseconds, to the next 8. One below 16 counts as 16. */
  duration: number;
  /** The event, and where its time went; "" for a quick one. */
  words: string;
}

/**
 * Measures interactions from now on.
 * @returns ends it, with all of them, the quickest first
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
