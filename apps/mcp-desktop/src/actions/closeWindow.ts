import { ToolError } from "@grove/mcp";
import { untilAborted } from "@grove/signals";
import type { Link } from "../cdp/link";
import type { Page } from "../cdp/page";
import { isOfApp } from "../cdp/targets";

/**
 * Closes a window as its user would: the page may ask whether to leave.
 * @throws {ToolError} when it is the last one, without which most apps end, or when the page stays
 */
export async function closeWindow(page: Page, link: Link, signal: AbortSignal): Promise<string> {
  if (link.targets.filter(isOfApp).length === 1)
    throw new ToolError(
      "last_window",
      "This is the only window, and closing it may close the app",
      "Leave that to a person.",
    );
  const stops: (() => void)[] = [];
  const closed = new Promise<void>((resolve, reject) => {
    const { browser } = link.connection;
    stops.push(
      browser.on("Target.targetDestroyed", ({ targetId }) => {
        if (targetId === page.targetId) resolve();
      }),
      page.session.on("Page.javascriptDialogClosed", ({ result }) => {
        if (!result) reject(stays());
      }),
    );
  });
  try {
    // The window may close before it responds.
    page.session.send("Page.close", undefined, signal).catch(() => undefined);
    await untilAborted(closed, signal);
  } finally {
    for (const stop of stops) stop();
  }
  return `Closed window ${page.windowId}.`;
}

const stays = () =>
  new ToolError(
    "window_stays",
    "The window stays open, since its page asked whether to leave and the answer was no",
    'To leave it anyway, repeat the call with dialog: "accept".',
  );
