import type { Page } from "../cdp/page";
import { awaitDrawing } from "./awaitFrames";
import { sendInput } from "./delivery";
import { type Modifier, modifierBits } from "./keyboard";

/** `none` only moves the pointer. */
type Button = "left" | "middle" | "right" | "none";

export interface ClickOptions {
  readonly button: Button;
  readonly count: number;
  readonly modifiers: readonly Modifier[];
}

const pressedBits = { left: 1, right: 2, middle: 4 };

/** Moves the pointer. The browser answers with the next frame. */
export const movePointer = (page: Page, x: number, y: number, signal: AbortSignal) =>
  awaitDrawing(
    page,
    page.session.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y }, signal),
    signal,
  );

/**
 * Presses and releases `count` times without waiting in between, so that a handler's dialog cannot separate them.
 * @returns the number of presses whose element was replaced before the release, so that nothing was clicked
 */
export async function press(
  page: Page,
  x: number,
  y: number,
  { button, count, modifiers }: ClickOptions,
  signal: AbortSignal,
): Promise<number> {
  page.topFrameUrl.check();
  if (button === "none") return 0;
  const common = { x, y, button, modifiers: modifierBits(modifiers) };
  const mouse = (type: "mousePressed" | "mouseReleased", buttons: number, clickCount: number) =>
    page.session.send("Input.dispatchMouseEvent", { ...common, type, buttons, clickCount }, signal);
  const clicks = Array.from({ length: count }, (_, index) => index + 1);
  const send = () =>
    Promise.all(
      clicks.flatMap((clickCount) => [
        mouse("mousePressed", pressedBits[button], clickCount),
        mouse("mouseReleased", 0, clickCount),
      ]),
    );
  return sendInput(page, "mouse", send, signal);
}
