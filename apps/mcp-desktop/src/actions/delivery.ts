import { ToolError } from "@grove/mcp";
import { DocumentGone } from "../cdp/errors";
import type { Page } from "../cdp/page";
import type { ReceivedInput } from "../page/gestures/receivedInput";

type Input = "mouse" | "keys";

/**
 * Sends input, and checks that the page has received it. A prompt of the browser's own, such as the question whether
 * another program may be opened, silently takes all input of its window.
 * @returns the number of mouse presses whose element was replaced before the release, so that nothing was clicked
 * @throws {ToolError} when none of the page's documents has received any of it
 */
export async function sendInput(
  page: Page,
  input: Input,
  send: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<number> {
  const { documents } = page.navigation;
  const before = await receivedBy(page, signal);
  await send();
  if (page.navigation.pending || page.navigation.documents > documents) return 0;
  const after = await receivedBy(page, signal);
  if (!before || !after) return 0;
  // A frame that received the input and navigated counts from zero again.
  if (after.newest > before.newest) return 0;
  if (after[input] > before[input]) return after.lostPresses - before.lostPresses;
  if (after.mayHavePopup || before.mayHavePopup) return 0;
  throw notDelivered(input === "mouse" ? "click" : "keys");
}

export const notDelivered = (what: string) =>
  new ToolError(
    "not_delivered",
    `The page did not receive the ${what}`,
    "A prompt of the browser's own is probably open, for a login or for another program. A person can close it; navigate, or another window, may get around it.",
  );

/** Returns the events that all documents of a page have received; undefined if one of them cannot be queried. */
async function receivedBy(
  page: Page,
  signal: AbortSignal,
): Promise<Omit<ReceivedInput, "drops"> | undefined> {
  const { count, silent } = page.frames;
  if (silent > 0) return undefined;
  try {
    const frames = await page.frames.separate(signal);
    const parts = await Promise.all(frames.map((frame) => frame.call("receivedInput", [], signal)));
    const sum = (key: "mouse" | "keys" | "lostPresses" | "documents") =>
      parts.reduce((total, part) => total + part[key], 0);
    // Documents in closed shadow roots, for example, cannot be queried.
    if (sum("documents") < count) return undefined;
    return {
      mouse: sum("mouse"),
      keys: sum("keys"),
      lostPresses: sum("lostPresses"),
      documents: sum("documents"),
      newest: Math.max(...parts.map(({ newest }) => newest)),
      mayHavePopup: parts.some(({ mayHavePopup }) => mayHavePopup),
    };
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}
