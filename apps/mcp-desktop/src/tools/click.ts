import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { actAndAwaitFrame } from "../actions/actAndWait";
import { awaitFrames } from "../actions/awaitFrames";
import { notDelivered } from "../actions/delivery";
import { type ElementWait, waitFor } from "../actions/elementWait";
import { modifierNames } from "../actions/keyboard";
import { type Located, locate } from "../actions/locate";
import { type ClickOptions, movePointer, press } from "../actions/mouse";
import { isMac } from "../actions/platform";
import { DocumentGone } from "../cdp/errors";
import type { Page } from "../cdp/page";
import { desktopTool, onPage } from "../desktopTool";
import { apply } from "../page/geometry/affine";
import type { Check } from "../page/target/check";
import {
  integerWithin,
  optionalText,
  ref,
  selector,
  testId,
  timeoutMs,
  windowInputs,
  withDefault,
  writeAnnotations,
} from "./inputs";

const input = z.strictObject({
  selector,
  text: optionalText(1_000).describe("Text or name"),
  testId,
  ref,
  x: z.number().optional().describe("CSS pixels"),
  y: z.number().optional().describe("With x"),
  index: z.number().int().min(0).default(0).describe("Which match"),
  fuzzy: z.boolean().default(true).describe("Loose text"),
  button: withDefault(z.enum(["left", "right", "middle", "none"]), "left").describe("none hovers"),
  count: withDefault(integerWithin(1, 3), 1).describe("2: double"),
  modifiers: withDefault(z.array(z.enum(modifierNames)), []).describe("Keys held"),
  timeoutMs: timeoutMs.describe("Wait for it"),
  ...windowInputs,
});

/** After this many tries, click even if the frame has not seen the pointer: its page may hide that from us. */
const MAX_TRIES = 20;
/** How often an element is pressed, in total, if the page replaces it during each press. */
const MAX_PRESSES = 5;

export const click = desktopTool({
  name: "click",
  title: "Click",
  description:
    "Clicks, or hovers over, an element by ref (surest), text, testId or selector (all must match), or a point by x and y.",
  annotations: writeAnnotations,
  input,
  run: (given, call) =>
    onPage(call, given, (page) =>
      page.runExclusive(async () => {
        const { signal } = call;
        const mac = await isMac(page, signal);
        const modifiers = given.modifiers.map((name) =>
          name === "ControlOrMeta" ? (mac ? "Meta" : "Control") : name,
        );
        const options = { button: given.button, count: given.count, modifiers };
        await page.emulateFocus(signal);
        if (given.x !== undefined && given.y !== undefined)
          return clickPoint(page, given.x, given.y, options, signal);
        requireTarget(given);
        return clickElement(page, given, options, signal);
      }, call.signal),
    ),
});

/** Requires a locator or a point. A single coordinate beside a locator is ignored. */
function requireTarget({ x, y, ref, selector, text, testId }: z.output<typeof input>): void {
  if ([ref, selector, text, testId].some((locator) => locator !== undefined)) return;
  const isPartial = x !== undefined || y !== undefined;
  throw new ToolError(
    "invalid_input",
    isPartial ? "Give both x and y: only one was given" : "No element or point is given",
    "Give ref, selector, text or testId, or x and y.",
  );
}

async function clickPoint(page: Page, x: number, y: number, options: ClickOptions, signal: AbortSignal) {
  const [width, height, under] = await page.top.call("windowAt", [x, y], signal);
  if (x < 0 || y < 0 || x >= width || y >= height)
    throw new ToolError(
      "outside",
      `(${x}, ${y}) is outside the window`,
      `It is ${width} x ${height} CSS pixels.`,
    );
  const followed = await actAndAwaitFrame(
    page,
    async (timeout) => {
      await movePointer(page, x, y, timeout);
      await press(page, x, y, options, timeout);
    },
    signal,
  );
  return [`${doneBy(options)} at (${x}, ${y})${under ? `, on ${under}` : ""}.`, ...followed].join("\n");
}

/** Undefined if its document has been replaced in the meantime. */
async function checkAgain(
  { frame, ref, box }: Located,
  at: string | undefined,
  signal: AbortSignal,
): Promise<Check | undefined> {
  try {
    return await frame.call("check", [{ ref, index: 0, last: box, at }, false], signal);
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

async function clickElement(
  page: Page,
  given: z.output<typeof input>,
  options: ClickOptions,
  signal: AbortSignal,
) {
  const wait = waitFor(given.timeoutMs);
  for (let presses = 1; ; presses++) {
    const target = await pointAt(page, given, options, wait, signal);
    let lost = 0;
    const followed = await actAndAwaitFrame(
      page,
      async (timeout) => {
        lost = await press(page, target.x, target.y, options, timeout);
      },
      signal,
    );
    // A part of a double click may have been received.
    if (lost === 0 || options.count > 1) return describeClick(given, options, target, followed);
    if (presses === MAX_PRESSES || performance.now() - wait.started > given.timeoutMs)
      throw new ToolError(
        "moving",
        `${target.description} was replaced by another element each time it was pressed, so nothing was clicked`,
        "Wait until the page stops changing, or click at coordinates.",
      );
  }
}

/** Moves the pointer to the element, and finds it again until it is still under the pointer. */
async function pointAt(
  page: Page,
  given: z.output<typeof input>,
  options: ClickOptions,
  wait: ElementWait,
  signal: AbortSignal,
): Promise<Located> {
  for (let tries = 1; ; tries++) {
    const found = await locate(page, given, given.index, wait, signal);
    await movePointer(page, found.x, found.y, signal);
    // The element may have moved since then, or something that opens under the pointer may cover it.
    const again = await checkAgain(found, given.text, signal);
    // The browser takes a moment to notice a frame of another process; until then the pointer is over its parent.
    const arrives = found.frame === page.top || tries > MAX_TRIES;
    const isLost = found.frame === page.top && again?.status === "ready" && !again.pointed && !again.hovered;
    if (isLost && options.button === "none") throw notDelivered("pointer");
    if (again?.status === "ready" && (again.pointed || arrives))
      return { ...found, ...apply(found.map, again) };
    if (again?.status === "ready") await awaitFrames(page, 1, signal);
    else if (performance.now() - wait.started > given.timeoutMs)
      throw new ToolError(
        "moving",
        `${found.description} moved or was covered when the pointer reached it`,
        "Look with take_screenshot, or click at coordinates.",
      );
  }
}

function describeClick(
  { index, text }: z.output<typeof input>,
  options: ClickOptions,
  { x, y, description, isLoose, count, others }: Located,
  followed: readonly string[],
): string {
  const more =
    count > 1 ? ` (match ${index} of ${count}; others: ${others.join(", ")}; choose with index)` : "";
  const loosely = isLoose ? `, since no text is exactly ${JSON.stringify(text)}` : "";
  const point = `(${Math.round(x)}, ${Math.round(y)})`;
  return [`${doneBy(options)} ${description} at ${point}${loosely}${more}.`, ...followed].join("\n");
}

const doneBy = ({ button, count }: ClickOptions): string =>
  button === "none" ? "Hovered" : (["Clicked", "Double-clicked", "Triple-clicked"][count - 1] ?? "Clicked");
