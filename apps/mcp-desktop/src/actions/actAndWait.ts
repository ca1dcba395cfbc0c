import { linkedSignal, timeoutSignal } from "@grove/signals";
import { PENDING_MS } from "../browser/responsiveness";
import { DocumentGone } from "../cdp/errors";
import { waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";
import { isWindowClosedError } from "../cdp/windowErrors";
import type { DocumentFacts } from "../page/documentFacts";
import { awaitFrames, awaitTimers } from "./awaitFrames";
import { interceptChoosers } from "./choosers";

/** Timeout for a page that an action led to; shorter than the timeout of the whole call. */
const TIMEOUT_MS = PENDING_MS - 200;

/**
 * Acts, and waits until the page has drawn the result, or until the page that it leads to has been parsed.
 * @returns sentences about what followed
 */
export async function actAndAwaitFrame(
  page: Page,
  act: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<string[]> {
  const choosersOf = interceptChoosers(page);
  let navigationSentences: string[] = [];
  let choosers: string[] = [];
  try {
    navigationSentences = await actAndAwaitNavigation(
      page,
      async (timeout) => {
        await act(timeout);
        await awaitFrames(page, 1, timeout);
        await awaitTimers(page, timeout);
      },
      signal,
    );
  } finally {
    choosers = await choosersOf(signal).catch(() => []);
  }
  return [...choosers, ...navigationSentences];
}

/**
 * Acts. If the act leads to another page, waits until that page has been parsed.
 * @param act is abandoned if a navigation starts and does not finish, since the page does not answer during a
 * navigation
 * @returns sentences about what followed
 */
export async function actAndAwaitNavigation(
  page: Page,
  act: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<string[]> {
  const { navigation } = page;
  const before = navigation.commits;
  page.dialogs.act();
  const navigationTimeout = new AbortController();
  const finished = new AbortController();
  navigation
    .until(() => navigation.pending !== undefined, finished.signal)
    .then(() =>
      navigation.until(() => navigation.pending === undefined, timeoutSignal(TIMEOUT_MS, finished.signal)),
    )
    .catch((error: unknown) => navigationTimeout.abort(error));
  try {
    await act(linkedSignal(signal, navigationTimeout));
  } catch (error) {
    if (isWindowClosedError(error)) return ["The window closed."];
    if (!navigationTimeout.signal.aborted || signal.aborted) throw error;
  } finally {
    finished.abort();
  }
  return describeNavigation(page, before, signal);
}

/**
 * Describes where the page went, once the new document has been parsed.
 * @param before the number of places that the page had shown before
 */
async function describeNavigation(page: Page, before: number, signal: AbortSignal): Promise<string[]> {
  const { navigation } = page;
  const { pending } = navigation;
  if (navigation.commits === before && pending === undefined) return [];
  const waited = pending ? performance.now() - pending.since : 0;
  const timeout = timeoutSignal(Math.max(0, TIMEOUT_MS - waited), signal);
  try {
    await navigation.until(
      () => navigation.pending === undefined && navigation.has("DOMContentLoaded"),
      timeout,
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
export async function factsOf(page: Page, signal: AbortSignal): Promise<DocumentFacts> {
  for (;;) {
    try {
      return withAddress(page, await page.top.call("documentFacts", [], signal));
    } catch (error) {
      if (!(error instanceof DocumentGone)) throw error;
    }
  }
}

/** Replaces an error page's own address by the address that could not be loaded. */
export function withAddress(page: Page, facts: DocumentFacts): DocumentFacts {
  const { unreachable } = page.navigation;
  return facts.error !== undefined && unreachable ? { ...facts, url: unreachable } : facts;
}

/** `"Title" at https://…` */
export const placeOf = ({ title, url, error }: DocumentFacts): string =>
  error === undefined
    ? `${JSON.stringify(title)} at ${url}`
    : `an error page, since ${url} could not be loaded (${error})`;
