import { timeoutSignal } from "@grove/signals";
import { DocumentGone } from "../cdp/errors";
import type { Page } from "../cdp/page";

/** A visible window draws a frame sooner. A page in a background tab draws once a second, or never. */
const SLOW_MS = 200;
/** Timeout for the browser to list its windows. */
const TIMEOUT_MS = 2_000;

/** Waits until the current document has drawn some frames. */
export async function awaitFrames(page: Page, count: number, signal: AbortSignal): Promise<void> {
  try {
    await page.top.call("afterFrames", [count], signal);
  } catch (error) {
    if (!(error instanceof DocumentGone)) throw error;
  }
}

/** Waits until timers without a delay have run: a timer that an action has set may open a dialog. */
export async function awaitTimers(page: Page, signal: AbortSignal): Promise<void> {
  try {
    await page.top.call("afterTimers", [], signal);
  } catch (error) {
    if (!(error instanceof DocumentGone)) throw error;
  }
}

/**
 * Waits for work that needs a frame to be drawn. If it takes too long, the window may be behind another tab and is
 * brought to the front. A window without other tabs is left where the user put it.
 */
export async function awaitDrawing<T>(page: Page, work: Promise<T>, signal: AbortSignal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<"slow">((resolve) => {
    timer = setTimeout(resolve, SLOW_MS, "slow");
  });
  try {
    if ((await Promise.race([work, slow])) === "slow")
      await bringToFront(page, timeoutSignal(TIMEOUT_MS, signal)).catch(() => undefined);
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

async function bringToFront(page: Page, signal: AbortSignal): Promise<void> {
  const { browser } = page.session.connection;
  const { targetInfos } = await browser.send("Target.getTargets", {}, signal);
  const ownWindow = await windowOf(page, page.targetId, signal);
  const others = targetInfos.filter(({ type, targetId }) => type === "page" && targetId !== page.targetId);
  const windows = await Promise.all(
    others.slice(0, 30).map(({ targetId }) => windowOf(page, targetId, signal)),
  );
  if (ownWindow === undefined || !windows.includes(ownWindow)) return;
  await page.session.send("Page.bringToFront", undefined, signal);
  page.notes.push(`${page.windowId} was slow to draw behind another tab, and was brought to the front.`);
}

/** The desktop window that contains a tab; undefined for apps that do not report it. */
const windowOf = async (page: Page, targetId: string, signal: AbortSignal) =>
  page.session.connection.browser
    .send("Browser.getWindowForTarget", { targetId }, signal)
    .then(({ windowId }) => windowId)
    .catch(() => undefined);
