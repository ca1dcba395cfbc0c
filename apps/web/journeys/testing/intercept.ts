import type { BrowserContext, Page, Route } from "@grove/testing/browser";

/**
 * Hands the first request for `url` to `handle`, and lets all others through. In contrast to Playwright's `times: 1`,
 * the route stays: ending it can lose other requests that are in flight, and then the page waits for them forever.
 */
export async function interceptFirst(
  target: Page | BrowserContext,
  url: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<void> {
  let isFirst = true;
  await target.route(url, (route) => {
    if (!isFirst) return route.fallback();
    isFirst = false;
    return handle(route);
  });
}

/** Holds the first request for `url` until the returned function is called. */
export async function holdFirst(target: Page | BrowserContext, url: string | RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await interceptFirst(target, url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
