import type { Page } from "../cdp/page";

const macs = new WeakMap<Page, boolean>();

/** Whether the app runs on macOS, where Meta does what Control does elsewhere. */
export async function isMac(page: Page, signal: AbortSignal): Promise<boolean> {
  const cached = macs.get(page);
  if (cached !== undefined) return cached;
  const { userAgent } = await page.session.send("Browser.getVersion", undefined, signal);
  macs.set(page, userAgent.includes("Macintosh"));
  return userAgent.includes("Macintosh");
}
