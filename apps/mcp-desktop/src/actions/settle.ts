import { DocumentGone } from "../cdp/errors";
import { saysClosed } from "../cdp/gone";
import { waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";
import { limit } from "../limit";
import type { Facts } from "../page/target";
import { drawn } from "./drawn";

/** Longest wait for a page that an action led to. */
const PATIENCE_MS = 5_000;
/** Time for the browser to give an address up again, as it does with a download. */
const LEAVING_MS = 50;

/**
 * Acts, and waits until the page has drawn what came of it; where it led to another page, until that one is parsed.
 * @returns sentences on what followed
 */
export async function settled(page: Page, act: () => Promise<void>, signal: AbortSignal): Promise<string[]> {
  const { navigation } = page;
  const before = navigation.commits;
  try {
    await act();
    await drawnOrLeaving(page, signal);
  } catch (error) {
    if (saysClosed(error)) return ["The window closed."];
    throw error;
  }
  return followed(page, before, signal);
}

/**
 * Says where the page went, once the document there is parsed.
 * @param before how many places the page had shown before
 */
export async function followed(page: Page, before: number, signal: AbortSignal): Promise<string[]> {
  const { navigation } = page;
  if (navigation.commits === before && navigation.pending === undefined) return [];
  const patience = limit(PATIENCE_MS, signal);
  try {
    await navigation.until(
      () => navigation.pending === undefined && navigation.has("DOMContentLoaded"),
      patience,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return [
      navigation.pending ? `The page ${waitsFor(navigation.pending)}.` : "The next page is still loading.",
    ];
  }
  if (navigation.commits === before) return [];
  return [`The page is now ${placeOf(await factsOf(page, signal))}.`];
}

/** Waits for a frame, unless the page goes elsewhere: the browser then keeps every question until the page has arrived. */
async function drawnOrLeaving(page: Page, signal: AbortSignal): Promise<void> {
  const { navigation } = page;
  const over = new AbortController();
  const leaving = navigation
    .until(() => navigation.pending !== undefined, over.signal)
    .then(() => new Promise<void>((resolve) => setTimeout(resolve, LEAVING_MS).unref()));
  try {
    await Promise.race([drawn(page, 1, signal), leaving]);
  } finally {
    over.abort();
    leaving.catch(() => undefined);
  }
}

/** What the window shows, once it shows something. */
export async function factsOf(page: Page, signal: AbortSignal): Promise<Facts> {
  for (;;) {
    try {
      return await page.top.call("facts", [], signal);
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
    }
  }
}

/** `"Title" at https://…` */
export const placeOf = ({ title, url }: Facts): string => `${JSON.stringify(title)} at ${url}`;
