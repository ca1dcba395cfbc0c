import { ToolError } from "@grove/mcp";
import { timeoutSignal, untilAborted } from "@grove/signals";
import { nameOf } from "../cdp/dialogs";
import { isDocumentGoneError } from "../cdp/errors";
import type { Link } from "../cdp/link";
import { waitsFor } from "../cdp/navigation";
import type { Page } from "../cdp/page";

/** How long a navigating page, and one that did not answer before, may take to answer. Waiting longer gains nothing. */
export const PENDING_MS = 5_000;
export const SILENT_MS = 1_000;

/**
 * Waits until this server is attached to a page. A page that is stuck never becomes ready.
 * @throws {ToolError} when a page that did not answer the last call does not become ready either
 */
export async function waitUntilAttached(page: Page, link: Link, signal: AbortSignal): Promise<void> {
  const timeout = page.isSilent ? timeoutSignal(SILENT_MS, signal) : signal;
  try {
    await untilAborted(page.ready, timeout);
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw unresponsive(page, link);
  }
}

/**
 * Checks that a page answers, if it is navigating, did not answer the last call, or may be waiting for a print preview
 * or for the dialog of another window.
 * @param graceMs is added to the time that it may take
 * @throws {ToolError} when it does not
 */
export async function checkResponsive(
  page: Page,
  link: Link,
  signal: AbortSignal,
  graceMs = 0,
): Promise<void> {
  const { pending } = page.navigation;
  if (!pending && !page.isSilent && !link.isPrinting && !link.dialogBeside(page)) return;
  const waited = pending ? performance.now() - pending.since : PENDING_MS;
  const timeout = timeoutSignal(Math.max(SILENT_MS, PENDING_MS - waited) + graceMs, signal);
  try {
    // Behind a print preview a page still evaluates code, but settles no promise.
    const question = { expression: "(async () => 1)()", awaitPromise: true };
    await page.session.send("Runtime.evaluate", question, timeout);
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw unresponsive(page, link);
    // The page has navigated in the meantime.
    if (!isDocumentGoneError(error)) throw error;
  }
  page.isSilent = false;
}

/** How long a page may take to start a call. A slower page is treated as unresponsive. */
const BEGIN_MS = 3_000;

/**
 * Waits until a page begins to handle what this server sends.
 * @throws {ToolError} when it does not. Navigations and dialogs are handled by the waits for them
 */
export async function checkHandlesMessages(page: Page, link: Link, signal: AbortSignal): Promise<void> {
  const timeout = timeoutSignal(BEGIN_MS, signal);
  try {
    await page.session.send("Runtime.evaluate", { expression: "1" }, timeout);
  } catch {
    const waits = page.navigation.pending !== undefined || page.dialogs.open !== undefined;
    if (timeout.aborted && !signal.aborted && !waits) throw unresponsive(page, link);
  }
}

/** The reason why a page has not answered. */
export function unresponsive(page: Page, link: Link): ToolError {
  const { pending } = page.navigation;
  if (link.isPrinting) return printing(page, link);
  const beside = link.dialogBeside(page);
  if (beside) return waitsForWindow(page, beside);
  if (pending)
    return new ToolError(
      "navigation_pending",
      `The page ${waitsFor(pending)}, and cannot be used until then`,
      'Call again later, or give that address up with navigate({"action":"stop"}).',
    );
  page.isSilent = true;
  const stuck = link.stuckBeside(page);
  if (stuck)
    return new ToolError(
      "page_unresponsive",
      `The page does not answer, and neither does window ${stuck.windowId}, which may show a dialog`,
      `navigate({"action":"reload","windowId":"${stuck.windowId}"}) closes it.`,
    );
  return new ToolError(
    "page_unresponsive",
    "The page does not answer",
    'It may be stuck in a loop, or behind a dialog; navigate({"action":"reload"}) stops its scripts, closes the dialog, and loads it again. If it is only busy, call again.',
  );
}

/** Windows that share a process, such as a popup and its opener, wait for each other's dialogs. */
function waitsForWindow(page: Page, beside: Page): ToolError {
  page.isSilent = true;
  const { windowId, dialogs } = beside;
  const shown = dialogs.open ? nameOf(dialogs.open) : "A dialog";
  return new ToolError(
    "dialog_open",
    `${shown} is open in window ${windowId}, and this page waits for it`,
    `Answer it: inspect_dom({"windowId":"${windowId}","dialog":"accept"}) or "dismiss".`,
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

/** How long a page may take to answer before its running script is stopped. */
const ALIVE_MS = 1_000;

/**
 * Stops a script that keeps the page from answering, so that it can navigate. This has to come first: once the browser
 * has begun to show another document in the same process, it passes nothing on to the document that hangs.
 * @throws {ToolError} when the page waits for a dialog of another window
 */
export async function revive(page: Page, link: Link, signal: AbortSignal): Promise<void> {
  // While a page navigates, the browser passes no messages on to it.
  if (page.crashed || page.dialogs.open || page.navigation.pending) return;
  const alive = timeoutSignal(ALIVE_MS, signal);
  try {
    await page.session.send("Runtime.evaluate", { expression: "1" }, alive);
  } catch {
    signal.throwIfAborted();
    // A page that has navigated in the meantime is fine, and the running script belongs to the next document.
    if (!alive.aborted) return;
    if (link.dialogBeside(page)) throw unresponsive(page, link);
    await page.session
      .send("Runtime.terminateExecution", undefined, timeoutSignal(ALIVE_MS, signal))
      .catch(() => undefined);
    await leaveDialog(page, signal);
  }
}

/**
 * Reloads a page that this server could not attach to. A dialog that opened before it attached blocks the page, and
 * cannot be answered by it. Only leaving the document closes such a dialog.
 */
async function leaveDialog(page: Page, signal: AbortSignal): Promise<void> {
  const timeout = timeoutSignal(ALIVE_MS, signal);
  try {
    await untilAborted(page.ready, timeout);
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    const { navigation } = page;
    const { stops } = navigation;
    await page.session.send("Page.reload", {}, signal);
    await navigation.until(() => navigation.stops > stops, signal);
    await untilAborted(page.ready, signal);
  }
}
