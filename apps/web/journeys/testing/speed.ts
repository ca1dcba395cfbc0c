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

/**
 * Measures from now on how long the page takes to show what keys and clicks have changed.
 * @returns the milliseconds of each, in ascending order, to the next 8; those below 16 count as 16
 */
export async function measureInteractions(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const counts = performance as Performance & { interactionCount?: number };
    const before = counts.interactionCount ?? 0;
    const longest = new Map<number, number>();
    const add = (entries: PerformanceEntryList) => {
      for (const { interactionId, duration } of entries as (PerformanceEventTiming & {
        interactionId: number;
      })[])
        if (interactionId > 0)
          longest.set(interactionId, Math.max(duration, longest.get(interactionId) ?? 0));
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "event", durationThreshold: 16 } as PerformanceObserverInit);
    const interactions = () => {
      add(observer.takeRecords());
      const quick = Math.max(0, (counts.interactionCount ?? 0) - before - longest.size);
      return [...Array<number>(quick).fill(16), ...longest.values()].sort((a, b) => a - b);
    };
    Object.assign(globalThis, { interactions });
  });
  return () => page.evaluate<number[]>("interactions()");
}
