import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { drawn } from "../actions/drawn";
import { locate, waitFor } from "../actions/locate";
import { move } from "../actions/mouse";
import { acted } from "../actions/settle";
import { type Call, desktopTool, onPage } from "../call";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import type { Query } from "../page/find";
import type { Scrolled } from "../page/gesture";
import { changes, ELEMENT_MS, ref, selector, tacit, whole, windowId } from "./inputs";

const pixels = tacit(whole(-100_000, 100_000), 0);

export const scroll = desktopTool({
  name: "scroll",
  title: "Scroll",
  description: "Turns the wheel over an element or the window's middle.",
  annotations: { ...changes, destructiveHint: false },
  input: z.strictObject({
    ref,
    selector,
    x: pixels.describe("Pixels right"),
    y: pixels.describe("Pixels down"),
    windowId,
  }),
  run: (given, call) =>
    onPage(call, given, (page) => page.inTurn(() => scrollOn(page, given, call), call.signal)),
});

type Named = Pick<Query, "ref" | "selector">;

interface Over {
  readonly frame: Frame;
  readonly at: { readonly x: number; readonly y: number };
  readonly inFrame: { readonly x: number; readonly y: number };
}

/** The maximum number of measurements of a page that keeps scrolling by itself. */
const MAX_LOOKS = 100;
/** After this many measurements without a change, one frame apart, scrolling has ended. */
const STILL = 4;

async function scrollOn(
  page: Page,
  { ref, selector, x, y }: Named & { x: number; y: number },
  { signal }: Call,
): Promise<string> {
  if (x === 0 && y === 0)
    throw new ToolError("invalid_input", "No distance is given", "Give x or y, in CSS pixels.");
  const over = await overOf(page, { ref, selector }, signal);
  const look = (patience: AbortSignal) =>
    over.frame.call("scrollersAt", [over.inFrame.x, over.inFrame.y], patience);
  const before = await look(signal);
  await move(page, over.at.x, over.at.y, signal);
  page.whereabouts.check();
  let after: readonly Scrolled[] | undefined;
  const followed = await acted(
    page,
    async (patience) => {
      const wheel = { type: "mouseWheel", ...over.at, deltaX: x, deltaY: y } as const;
      await page.session.send("Input.dispatchMouseEvent", wheel, patience);
      for (let looks = 0, still = 0; looks < MAX_LOOKS && still < STILL; looks++) {
        await drawn(page, 1, patience);
        const now = await look(patience);
        still = movedOf(after ?? before, now) ? 0 : still + 1;
        after = now;
      }
    },
    signal,
  );
  const place = `(${Math.round(over.at.x)}, ${Math.round(over.at.y)})`;
  // The page navigated before it could be asked.
  if (!after) return [`Turned the wheel at ${place}.`, ...followed].join("\n");
  return [said(before, after, place), ...followed].join("\n");
}

function said(before: readonly Scrolled[], after: readonly Scrolled[], place: string): string {
  const moved = movedOf(before, after);
  if (moved)
    return `Scrolled ${moved.description} to ${moved.x},${moved.y} of ${moved.width},${moved.height}.`;
  const [inner] = after;
  return inner
    ? `Turned the wheel at ${place}, and nothing scrolled: ${inner.description} is at ${inner.x},${inner.y} of ${inner.width},${inner.height}.`
    : `Turned the wheel at ${place}, where nothing scrolls.`;
}

/** The named element, otherwise the middle of the window. */
async function overOf(page: Page, query: Named, signal: AbortSignal): Promise<Over> {
  if ((query.ref ?? query.selector) === undefined) {
    const [width, height] = await page.top.call("windowAt", [0, 0], signal);
    const at = { x: width / 2, y: height / 2 };
    return { frame: page.top, at, inFrame: at };
  }
  const { frame, inFrame, x, y } = await locate(page, query, 0, waitFor(ELEMENT_MS), signal);
  return { frame, at: { x, y }, inFrame };
}

/** The first element that has been scrolled. */
const movedOf = (before: readonly Scrolled[], after: readonly Scrolled[]): Scrolled | undefined =>
  after.find(({ ref, x, y }) => before.some((old) => old.ref === ref && (old.x !== x || old.y !== y)));
