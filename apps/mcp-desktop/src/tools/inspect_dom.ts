import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { awaitFrames } from "../actions/awaitFrames";
import { openClosedRoots } from "../cdp/closedRoots";
import { DocumentGone } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { desktopTool, onPage } from "../desktopTool";
import type { Snapshot } from "../page/snapshot/snapshot";
import { cutMarked, firstLines, pluralize } from "../text";
import { integerWithin, optionalText, readAnnotations, selector, windowInputs, withDefault } from "./inputs";

const input = z.strictObject({
  selector: selector.describe("Only within it"),
  interactiveOnly: withDefault(z.boolean(), false).describe("Only controls"),
  text: optionalText(500).describe("Only with this text"),
  until: z.enum(["shown", "gone"]).optional().describe("Wait for that"),
  maxDepth: integerWithin(0, 50).optional().describe("Levels"),
  maxElements: integerWithin(1, 2_000).default(300).describe("In view first"),
  ...windowInputs,
});
type Input = z.output<typeof input>;

/** How long a call waits for something to be shown or gone. */
const UNTIL_MS = 10_000;

/** The maximum length of the output, whatever is requested. */
const MAX_CHARACTERS = 60_000;

export const inspectDom = desktopTool({
  name: "inspect_dom",
  title: "Inspect",
  description:
    'Shows what is on screen as text, a line an element: ref, tag:role, "name", ="value", (states), #testid, x,y WxH (if in view; the size if not as above); plain text is just "text".',
  annotations: readAnnotations,
  input,
  run: (given, call) =>
    onPage(call, given, async (page) => {
      const snapshots = await (given.until ? awaited : shownIn)(page, given, call.signal);
      const [first] = snapshots;
      const { title } = first ?? { title: "" };
      const { unreachable } = page.navigation;
      const url = unreachable
        ? `an error page, since ${unreachable} could not be loaded`
        : (first?.url ?? "");
      const refused = snapshots.every((snapshot) => snapshot.refused !== undefined) && first?.refused;
      if (refused) throw new ToolError("invalid_selector", refused, "Correct the selector.");
      const lines = snapshots.flatMap((snapshot) => snapshot.lines);
      const total = sum(snapshots.map((snapshot) => snapshot.total));
      const omittedCount = sum(snapshots.map((snapshot) => snapshot.left));
      const omitted =
        omittedCount > 0
          ? `, ${total - omittedCount} shown (truncated: ask for a selector, text, or more maxElements)`
          : "";
      const { silent } = page.frames;
      const unseen = silent > 0 ? `, ${pluralize(silent, "frame does", "frames do")} not answer` : "";
      const head = `${JSON.stringify(title)} at ${cutMarked(url, 500)}: ${pluralize(total, "element")}${omitted}${unseen}.`;
      return [head, ...linesWithinLimit(lines)].join("\n");
    }),
});

/** Waits until the element of the selector and text is visible, or no longer exists. */
async function awaited(page: Page, given: Input, signal: AbortSignal): Promise<Snapshot[]> {
  const { selector, text, until } = given;
  if (selector === undefined && text === undefined)
    throw new ToolError(
      "invalid_input",
      `No element is given that should become ${until}`,
      "Give text or selector.",
    );
  const started = performance.now();
  for (;;) {
    const snapshots = await shownIn(page, given, signal);
    const isShown = snapshots.some(({ total, refused }) => total > 0 || refused !== undefined);
    if (isShown === (until === "shown")) return snapshots;
    if (performance.now() - started > UNTIL_MS)
      throw new ToolError(
        "not_yet",
        `${JSON.stringify(text ?? selector)} is ${isShown ? "still" : "not"} shown after ${UNTIL_MS / 1000} s`,
        "Call again to keep waiting, or inspect the page without `until`.",
      );
    await awaitFrames(page, 6, signal);
  }
}

/** The snapshots of all frames; a frame of another process follows the document that contains it. */
async function shownIn(page: Page, given: Input, signal: AbortSignal): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  let remaining = given.maxElements;
  for (const frame of await page.frames.separate(signal)) {
    const snapshot = await snapshotOf(page, frame, { ...given, maxElements: Math.max(0, remaining) }, signal);
    if (!snapshot) continue;
    remaining -= snapshot.lines.length;
    if (frame !== page.top && snapshot.lines.length > 0)
      snapshot.lines.unshift(`frame ${cutMarked(snapshot.url, 200)}`);
    snapshots.push(snapshot);
  }
  return snapshots;
}

async function snapshotOf(
  page: Page,
  frame: Frame,
  given: Input,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const { selector, interactiveOnly, text, maxDepth, maxElements } = given;
  try {
    const { map, view, coveredBy } = await page.frames.place(frame, false, signal);
    if (coveredBy !== undefined) return undefined;
    const place = { map, view };
    await openClosedRoots(frame, signal);
    return await frame.call(
      "snapshot",
      [{ selector, interactiveOnly, text, maxDepth, maxElements, ...place }],
      signal,
    );
  } catch (error) {
    // A frame that is covered, gone or silent is not on screen.
    if (frame !== page.top && !signal.aborted) return undefined;
    if (error instanceof DocumentGone) return snapshotOf(page, frame, given, signal);
    throw error;
  }
}

function linesWithinLimit(lines: readonly string[]): string[] {
  const keptLines = firstLines(lines, MAX_CHARACTERS);
  return keptLines.length === lines.length
    ? keptLines
    : [...keptLines, `… ${lines.length - keptLines.length} more lines`];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
