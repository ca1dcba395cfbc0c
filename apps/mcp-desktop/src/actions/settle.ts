import { limit, within } from "@grove/signals";
import { PENDING_MS } from "../answers";
import { DocumentGone } from "../cdp/errors";
import { saysClosed } from "../cdp/gone";
import { waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";
import type { Facts } from "../page/facts";
import { interceptChoosers } from "./choosers";
import { drawn, turned } from "./drawn";

/** Timeout for a page that an action led to; shorter than the time after which the whole call is given up. */
const PATIENCE_MS = PENDING_MS - 200;

/**
 * Acts, and waits until the page has drawn the result, or until the page that it leads to has been parsed.
 * @returns sentences about what followed
 */
export async function settled(
  page: Page,
  act: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<string[]> {
  const choosersOf = interceptChoosers(page);
  let followed: string[] = [];
  let choosers: string[] = [];
  try {
    followed = await acted(
      page,
      async (patience) => {
        await act(patience);
        await drawn(page, 1, patience);
        await turned(page, patience);
      },
      signal,
    );
  } finally {
    choosers = await choosersOf(signal).catch(() => []);
  }
  return [...choosers, ...followed];
}

/**
 * Acts; if that leads to another page, waits until it has been parsed.
 * @param act is given up if the page starts to navigate and does not arrive, since it answers nothing until then
 * @returns sentences about what followed
 */
export async function acted(
  page: Page,
  act: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<string[]> {
  const { navigation } = page;
  const before = navigation.commits;
  page.dialogs.act();
  const giving = new AbortController();
  const over = new AbortController();
  navigation
    .until(() => navigation.pending !== undefined, over.signal)
    .then(() => navigation.until(() => navigation.pending === undefined, limit(PATIENCE_MS, over.signal)))
    .catch((error: unknown) => giving.abort(error));
  try {
    await act(within(signal, giving));
  } catch (error) {
    if (saysClosed(error)) return ["The window closed."];
    if (!giving.signal.aborted || signal.aborted) throw error;
  } finally {
    over.abort();
  }
  return followed(page, before, signal);
}

/**
 * Describes where the page went, once the new document has been parsed.
 * @param before the number of places that the page had shown before
 */
async function followed(page: Page, before: number, signal: AbortSignal): Promise<string[]> {
  const { navigation } = page;
  const { pending } = navigation;
  if (navigation.commits === before && pending === undefined) return [];
  const waited = pending ? performance.now() - pending.since : 0;
  const patience = limit(Math.max(0, PATIENCE_MS - waited), signal);
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

/** The facts of the window's document, as soon as there is one. */
export async function factsOf(page: Page, signal: AbortSignal): Promise<Facts> {
  for (;;) {
    try {
      return withAddress(page, await page.top.call("facts", [], signal));
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
    }
  }
}

/** An error page has an address of its own; the address in question is the one that could not be loaded. */
export function withAddress(page: Page, facts: Facts): Facts {
  const { unreachable } = page.navigation;
  return facts.error !== undefined && unreachable ? { ...facts, url: unreachable } : facts;
}

/** `"Title" at https://…` */
export const placeOf = ({ title, url, error }: Facts): string =>
  error === undefined
    ? `${JSON.stringify(title)} at ${url}`
    : `an error page, since ${url} could not be loaded (${error})`;
