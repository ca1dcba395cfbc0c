import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { drag as dragFrom, HOLD_MS, type Place } from "../actions/drag";
import { locate, waitFor } from "../actions/locate";
import { settled } from "../actions/settle";
import { type Call, desktopTool, onPage } from "../call";
import { DocumentGone } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { maths } from "../maths";
import type { DragEffect } from "../page/gesture";
import { changes, ELEMENT_MS, onWindow, tacit, text, whole } from "./inputs";

/** One end of a drag. */
interface End {
  /** Its position in the window. */
  readonly at: Place;
  readonly frame: Frame;
  /** Its position in that frame. */
  readonly inFrame: Place;
  readonly description: string;
  /** The ref of an element; undefined for a point. */
  readonly ref?: string;
}

export const drag = desktopTool({
  name: "drag",
  title: "Drag",
  description: "Drags with the pointer: a slider, an item of a list.",
  annotations: changes,
  input: z.strictObject({
    from: text(50).describe("Ref or x,y"),
    to: text(50).describe("Ref, x,y or +x,+y from there"),
    holdMs: tacit(whole(0, 3_000), HOLD_MS).describe("Hold first"),
    ...onWindow,
  }),
  run: (given, call) =>
    onPage(call, given, (page) => page.inTurn(() => dragOn(page, given, call), call.signal)),
});

async function dragOn(
  page: Page,
  given: { from: string; to: string; holdMs: number },
  { signal }: Call,
): Promise<string> {
  await page.emulateFocus(signal);
  // Bringing one end into view may move the other one out of view.
  if (offsetOf(given.to) === undefined) await endOf(page, given.to, undefined, signal);
  const from = await endOf(page, given.from, undefined, signal);
  const to = await endOf(page, given.to, from.at, signal);
  if (!(await isStillThere(page, from, signal)))
    throw new ToolError(
      "far_apart",
      `${from.description} and ${to.description} are not in view together`,
      "Drag in several steps, or make the window larger.",
    );
  const { frame, inFrame } = from;
  const dropsBefore = await dropsOf(page, signal);
  let isCarried = false;
  const followed = await settled(
    page,
    async (patience) => {
      isCarried = await dragFrom(page, { ...given, from: from.at, to: to.at, frame, inFrame }, patience);
    },
    signal,
  );
  // If the drag led to another page, the result reports that; a page that waits for another one does not answer.
  const isStill = followed.length === 0 && !page.navigation.pending;
  const without = isStill ? await missingEffect(page, frame, { isCarried, dropsBefore }, signal) : [];
  return [`Dragged ${from.description} to ${to.description}.`, ...without, ...followed].join("\n");
}

/** A sentence about a drag that had no effect. */
async function missingEffect(
  page: Page,
  frame: Frame,
  { isCarried, dropsBefore }: { isCarried: boolean; dropsBefore: number | undefined },
  signal: AbortSignal,
): Promise<string[]> {
  if (!isCarried) {
    const effect = await effectOf(frame, signal);
    return effect?.hasChanged === false ? ["No element of the page changed."] : [];
  }
  const isRefused = dropsBefore !== undefined && (await dropsOf(page, signal)) === dropsBefore;
  return isRefused ? ["Nothing there accepted the drop."] : [];
}

/** Undefined if the document was replaced. */
async function effectOf(frame: Frame, signal: AbortSignal): Promise<DragEffect | undefined> {
  try {
    return await frame.call("dragEffect", [], signal);
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

/** The number of drops that the page has received; undefined if a document was replaced. */
async function dropsOf(page: Page, signal: AbortSignal): Promise<number | undefined> {
  try {
    const frames = await page.frames.separate(signal);
    const parts = await Promise.all(frames.map((frame) => frame.call("received", [], signal)));
    return parts.reduce((total, { drops }) => total + drops, 0);
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

/** @param start the beginning of the drag, for an end that is given as an offset */
async function endOf(page: Page, given: string, start: Place | undefined, signal: AbortSignal): Promise<End> {
  const offset = offsetOf(given);
  const [, x, y] = /^\s*(\d+(?:\.\d+)?)\s*,\s*(\d+(?:\.\d+)?)\s*$/.exec(given) ?? [];
  if (x !== undefined && y !== undefined) return pointAt(page, { x: Number(x), y: Number(y) }, signal);
  if (offset && start) return pointAt(page, { x: start.x + offset.x, y: start.y + offset.y }, signal);
  const located = await locate(page, { ref: given }, 0, waitFor(ELEMENT_MS), signal);
  const { frame, inFrame, description } = located;
  const at = { x: located.x, y: located.y };
  return { at, frame, inFrame, description, ref: located.ref };
}

/** Whether an element can still be pressed at the same point. */
async function isStillThere(page: Page, { at, frame, ref }: End, signal: AbortSignal): Promise<boolean> {
  if (ref === undefined) return true;
  const check = await frame.call("check", [{ ref, index: 0, stays: true }, false], signal);
  if (check.status !== "ready") return false;
  const { map } = await page.frames.place(frame, false, signal);
  const { x, y } = maths.apply(map, check);
  return Math.hypot(x - at.x, y - at.y) <= 1;
}

function offsetOf(given: string): Place | undefined {
  const [, x, y] = /^\s*([+-]\d+(?:\.\d+)?)\s*,\s*([+-]\d+(?:\.\d+)?)\s*$/.exec(given) ?? [];
  return x === undefined ? undefined : { x: Number(x), y: Number(y) };
}

async function pointAt(page: Page, at: Place, signal: AbortSignal): Promise<End> {
  const [width, height, under] = await page.top.call("windowAt", [at.x, at.y], signal);
  const place = `(${Math.round(at.x)}, ${Math.round(at.y)})`;
  if (at.x < 0 || at.y < 0 || at.x >= width || at.y >= height)
    throw new ToolError(
      "outside",
      `${place} is outside the window`,
      `It is ${width} x ${height} CSS pixels.`,
    );
  return { at, frame: page.top, inFrame: at, description: under ? `${place}, on ${under}` : place };
}
