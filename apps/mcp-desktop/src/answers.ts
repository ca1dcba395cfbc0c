import { ToolError } from "@grove/mcp";
import { saysDocumentGone } from "./cdp/errors";
import type { Link } from "./cdp/link";
import { waitsFor } from "./cdp/navigation";
import type { Page } from "./cdp/page";
import { limit } from "./limit";

/** Time to answer for a page that goes elsewhere, and for one that did not answer before: a longer wait tells nothing new. */
export const PENDING_MS = 5_000;
const SILENT_MS = 1_000;

/**
 * Asks a page whether it answers now, where it goes elsewhere, did not answer the last call, or may wait for a print preview.
 * @throws ToolError when it does not
 */
export async function answers(page: Page, link: Link, signal: AbortSignal): Promise<void> {
  const { pending } = page.navigation;
  if (!pending && !page.isSilent && !link.isPrinting) return;
  const waited = pending ? performance.now() - pending.since : PENDING_MS;
  const patience = limit(Math.max(SILENT_MS, PENDING_MS - waited), signal);
  try {
    // Behind a print preview a page still evaluates, but no promise is settled.
    const question = { expression: "(async () => 1)()", awaitPromise: true };
    await page.session.send("Runtime.evaluate", question, patience);
  } catch (error) {
    if (patience.aborted && !signal.aborted) throw unresponsive(page, link);
    // The page went elsewhere meanwhile.
    if (!saysDocumentGone(error)) throw error;
  }
  page.isSilent = false;
}

/** Why a page has not answered. */
export function unresponsive(page: Page, link: Link): ToolError {
  const { pending } = page.navigation;
  if (link.isPrinting) return printing(page, link);
  if (pending)
    return new ToolError(
      "navigation_pending",
      `The page ${waitsFor(pending)}, and cannot be used until then`,
      'Call again later, or give the address up with navigate({"action":"stop"}).',
    );
  page.isSilent = true;
  return new ToolError(
    "page_unresponsive",
    "The page does not answer",
    'It may be stuck in a loop, or behind a dialog; navigate({"action":"reload"}) stops what runs and starts it again.',
  );
}

function printing(page: Page, link: Link): ToolError {
  page.isSilent = true;
  link.printer ??= page.windowId;
  return new ToolError(
    "print_preview_open",
    "A print preview is open, and the page waits for it",
    `Close it, or call navigate({"action":"reload","windowId":"${link.printer}"}), which ends the printing.`,
  );
}

/** How long a page may take to answer before what runs in it is stopped. */
const ALIVE_MS = 1_000;

/**
 * Stops a script that keeps the page from answering, so that it can be sent elsewhere. That comes first: once the browser
 * has begun to show another document in the same process, it no longer passes on what is said to the one that hangs.
 */
export async function revive(page: Page, signal: AbortSignal): Promise<void> {
  // While a page goes elsewhere, the browser passes no question on to it.
  if (page.crashed || page.dialogs.open || page.navigation.pending) return;
  const alive = limit(ALIVE_MS, signal);
  try {
    await page.session.send("Runtime.evaluate", { expression: "1" }, alive);
  } catch {
    signal.throwIfAborted();
    // A page that went elsewhere meanwhile is well, and what runs now belongs to the next one.
    if (!alive.aborted) return;
    await page.session
      .send("Runtime.terminateExecution", undefined, limit(ALIVE_MS, signal))
      .catch(() => undefined);
  }
}
