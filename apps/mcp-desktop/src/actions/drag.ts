import { setTimeout as sleep } from "node:timers/promises";
import { timeoutSignal, untilAborted } from "@grove/signals";
import type { Protocol } from "devtools-protocol";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { awaitFrames } from "./awaitFrames";
import { sendInput } from "./delivery";

export interface Place {
  readonly x: number;
  readonly y: number;
}

interface DragPath {
  readonly from: Place;
  readonly to: Place;
  readonly frame: Frame;
  readonly inFrame: Place;
  readonly holdMs: number;
}

/** The number of moves of a drag, so that elements between its two ends see the pointer too. */
const STEPS = 8;
/** How long the pointer rests at both ends: pages recognize a press and hold, and show where a drop is possible. */
export const HOLD_MS = 350;
const REST_MS = 100;
/** Timeout for the browser to hand over the dragged data once the page has begun the drag. */
const TIMEOUT_MS = 2_000;

/**
 * Presses the pointer at one place, moves it in steps, and releases it at another. If the page turns that into a drag
 * and drop (`draggable`), the dragged data is moved to the other place and dropped there.
 * @param frame the frame that contains `from`; `inFrame` is the place within that frame
 * @param holdMs how long the pointer rests before it moves
 * @returns whether the browser carried data, as for a `draggable` element
 */
export async function drag(
  page: Page,
  { from, to, frame, inFrame, holdMs }: DragPath,
  signal: AbortSignal,
): Promise<boolean> {
  const { session } = page;
  const mouse = (type: "mousePressed" | "mouseMoved" | "mouseReleased", at: Place, until = signal) =>
    session.send(
      "Input.dispatchMouseEvent",
      {
        type,
        ...at,
        button: "left",
        buttons: type === "mouseReleased" ? 0 : 1,
        clickCount: type === "mouseMoved" ? 0 : 1,
      },
      until,
    );
  const steps = Array.from({ length: STEPS }, (_, index) => between(from, to, (index + 1) / STEPS));
  let stop: (() => void) | undefined;
  let carried: Promise<Protocol.Input.DragData> | undefined;
  const intercepted = new Promise<Protocol.Input.DragData>((resolve) => {
    stop = session.on("Input.dragIntercepted", ({ data }) => resolve(data));
  });
  const isCarried = async () => {
    if (!carried && (await frame.call("dragBegan", [], signal))) carried = intercepted;
    return carried !== undefined;
  };
  await session.send("Input.setInterceptDrags", { enabled: true }, signal);
  await frame.call("watchDrag", [inFrame.x, inFrame.y], signal);
  let isDown = false;
  try {
    await session.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...from }, signal);
    page.topFrameUrl.check();
    isDown = true;
    await sendInput(page, "mouse", () => mouse("mousePressed", from), signal);
    await sleep(holdMs, undefined, { signal });
    for (const step of steps) {
      if (!(await isCarried())) await mouse("mouseMoved", step);
      if (await isCarried()) break;
      await awaitFrames(page, 1, signal);
    }
    if (carried) {
      const data = await untilAborted(carried, timeoutSignal(TIMEOUT_MS, signal));
      isDown = false;
      for (const type of ["dragEnter", "dragOver", "dragOver", "drop"] as const) {
        const at = type === "dragEnter" ? between(from, to, 0.5) : to;
        await session.send("Input.dispatchDragEvent", { type, ...at, data }, signal);
        if (type !== "drop") await awaitFrames(page, 1, signal);
      }
    } else {
      await mouse("mouseMoved", to);
      await awaitFrames(page, 1, signal);
      await sleep(REST_MS, undefined, { signal });
    }
    return carried !== undefined;
  } finally {
    stop?.();
    // Ignores the call's signal: the button is released even if the client has canceled.
    await Promise.allSettled([
      isDown || carried ? mouse("mouseReleased", to, timeoutSignal(TIMEOUT_MS)) : undefined,
      session.send("Input.setInterceptDrags", { enabled: false }, timeoutSignal(TIMEOUT_MS)),
    ]);
  }
}

/** Drops files on a place, as if they were dragged there from a folder. */
export async function dropFiles(page: Page, files: string[], at: Place, signal: AbortSignal): Promise<void> {
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "dragOver", "drop"] as const) {
    await page.session.send("Input.dispatchDragEvent", { type, ...at, data }, signal);
    if (type !== "drop") await awaitFrames(page, 1, signal);
  }
}

const between = (from: Place, to: Place, part: number): Place => ({
  x: from.x + (to.x - from.x) * part,
  y: from.y + (to.y - from.y) * part,
});
