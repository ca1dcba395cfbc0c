import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { actAndAwaitNavigation } from "../actions/actAndWait";
import { awaitFrames } from "../actions/awaitFrames";
import { DEFAULT_ELEMENT_WAIT_MS, waitFor } from "../actions/elementWait";
import { locate } from "../actions/locate";
import { movePointer } from "../actions/mouse";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { type Call, desktopTool, onPage } from "../desktopTool";
import type { Scrolled } from "../page/gestures/scrollers";
import type { Query } from "../page/search/find";
import { integerWithin, ref, selector, windowId, withDefault, writeAnnotations } from "./inputs";

const pixels = withDefault(integerWithin(-100_000, 100_000), 0);

export const scroll = desktopTool({
  name: "scroll",
  title: "Scroll",
  description: "Turns the mouse wheel over an element or the window.",
  annotations: { ...writeAnnotations, destructiveHint: false },
  input: z.strictObject({
    ref,
    selector,
    x: pixels.describe("Pixels right"),
    y: pixels.describe("Pixels down"),
    windowId,
  }),
  run: (given, call) =>
    onPage(call, given, (page) => page.runExclusive(() => scrollOn(page, given, call), call.signal)),
});

type Named = Pick<Query, "ref" | "selector">;

interface ScrollTarget {
  readonly frame: Frame;
  readonly at: { readonly x: number; readonly y: number };
  readonly inFrame: { readonly x: number; readonly y: number };
}

/** The maximum number of measurements of a page that keeps scrolling by itself. */
const MAX_READS = 100;
/** After this many measurements without a change, one frame apart, scrolling has ended. */
const UNCHANGED_READS = 4;

async function scrollOn(
  page: Page,
  { ref, selector, x, y }: Named & { x: number; y: number },
  { signal }: Call,
): Promise<string> {
  if (x === 0 && y === 0)
    throw new ToolError("invalid_input", "No distance is given", "Give x or y, in CSS pixels.");
  const target = await targetOf(page, { ref, selector }, signal);
  const readScrollers = (timeout: AbortSignal) =>
    target.frame.call("scrollersAt", [target.inFrame.x, target.inFrame.y], timeout);
  const before = await readScrollers(signal);
  await movePointer(page, target.at.x, target.at.y, signal);
  page.topFrameUrl.check();
  let after: readonly Scrolled[] | undefined;
  const navigationSentences = await actAndAwaitNavigation(
    page,
    async (timeout) => {
      const wheel = { type: "mouseWheel", ...target.at, deltaX: x, deltaY: y } as const;
      await page.session.send("Input.dispatchMouseEvent", wheel, timeout);
      for (
        let reads = 0, unchangedReads = 0;
        reads < MAX_READS && unchangedReads < UNCHANGED_READS;
        reads++
      ) {
        await awaitFrames(page, 1, timeout);
        const now = await readScrollers(timeout);
        unchangedReads = movedOf(after ?? before, now) ? 0 : unchangedReads + 1;
        after = now;
      }
    },
    signal,
  );
  const place = `(${Math.round(target.at.x)}, ${Math.round(target.at.y)})`;
  // The page navigated before it could be queried.
  if (!after) return [`Turned the wheel at ${place}.`, ...navigationSentences].join("\n");
  return [describeScroll(before, after, place), ...navigationSentences].join("\n");
}

function describeScroll(before: readonly Scrolled[], after: readonly Scrolled[], place: string): string {
  const moved = movedOf(before, after);
  if (moved)
    return `Scrolled ${moved.description} to ${moved.x},${moved.y} of ${moved.width},${moved.height}.`;
  const [inner] = after;
  return inner
    ? `Turned the wheel at ${place}, and nothing scrolled: ${inner.description} is at ${inner.x},${inner.y} of ${inner.width},${inner.height}.`
    : `Turned the wheel at ${place}, where nothing scrolls.`;
}

/** The named element, otherwise the middle of the window. */
async function targetOf(page: Page, query: Named, signal: AbortSignal): Promise<ScrollTarget> {
  if ((query.ref ?? query.selector) === undefined) {
    const [width, height] = await page.top.call("windowAt", [0, 0], signal);
    const at = { x: width / 2, y: height / 2 };
    return { frame: page.top, at, inFrame: at };
  }
  const { frame, inFrame, x, y } = await locate(page, query, 0, waitFor(DEFAULT_ELEMENT_WAIT_MS), signal);
  return { frame, at: { x, y }, inFrame };
}

/** The first element that has been scrolled. */
const movedOf = (before: readonly Scrolled[], after: readonly Scrolled[]): Scrolled | undefined =>
  after.find(({ ref, x, y }) => before.some((old) => old.ref === ref && (old.x !== x || old.y !== y)));
