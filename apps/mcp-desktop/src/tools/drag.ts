import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { actAndAwaitFrame } from "../actions/actAndWait";
import { drag as dragFrom, dropFiles, HOLD_MS, type Place } from "../actions/drag";
import { DEFAULT_ELEMENT_WAIT_MS, waitFor } from "../actions/elementWait";
import { locate } from "../actions/locate";
import { DocumentGone } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { type Call, desktopTool, onPage } from "../desktopTool";
import { apply } from "../page/geometry/affine";
import type { DragEffect } from "../page/gestures/drag";
import type { Query } from "../page/search/find";
import { pluralize } from "../text";
import { dialog, integerWithin, textWithin, windowId, withDefault, writeAnnotations } from "./inputs";

/** One end of a drag. */
interface End {
  /** The point's position in the window. */
  readonly at: Place;
  readonly frame: Frame;
  /** The point's position in its frame. */
  readonly inFrame: Place;
  readonly description: string;
  /** The ref of an element; undefined for a point. */
  readonly ref?: string;
  /** The text at which an element is pressed. */
  readonly text?: string | undefined;
}

export const drag = desktopTool({
  name: "drag",
  title: "Drag",
  description: "Drags with the pointer: a slider, an item of a list, files.",
  annotations: writeAnnotations,
  input: z.strictObject({
    from: textWithin(10_000).describe("Ref, text, #selector, x,y or full paths of files to drop"),
    to: textWithin(2_000).describe("The same, or +x,+y from there"),
    holdMs: withDefault(integerWithin(0, 3_000), HOLD_MS).describe("Hold first"),
    dialog,
    windowId,
  }),
  run: (given, call) =>
    onPage(call, given, (page) => page.runExclusive(() => dragOn(page, given, call), call.signal)),
});

async function dragOn(
  page: Page,
  given: { from: string; to: string; holdMs: number },
  call: Call,
): Promise<string> {
  const { signal } = call;
  await page.emulateFocus(signal);
  const files = await filesIn(given.from);
  if (files) return dropOn(page, files, given.to, call);
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
  const followed = await actAndAwaitFrame(
    page,
    async (timeout) => {
      isCarried = await dragFrom(page, { ...given, from: from.at, to: to.at, frame, inFrame }, timeout);
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
    const parts = await Promise.all(frames.map((frame) => frame.call("receivedInput", [], signal)));
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
  const query = queryOf(given);
  const located = await locate(page, query, 0, waitFor(DEFAULT_ELEMENT_WAIT_MS), signal);
  const { frame, inFrame, description } = located;
  const at = { x: located.x, y: located.y };
  return { at, frame, inFrame, description, ref: located.ref, text: query.text };
}

/** A ref and a CSS selector are known by their form; anything else is a text. */
function queryOf(given: string): Query {
  if (/^\d*e\d+$/.test(given)) return { ref: given };
  return /^([#.[]|\w+[#.[])\S/.test(given) ? { selector: given } : { text: given };
}

/** The existing files that the lines of a text name by full paths; undefined if a line names none. */
async function filesIn(given: string): Promise<string[] | undefined> {
  const files = given.split("\n").filter((line) => line !== "");
  const exist = files.map(
    async (file) => isAbsolute(file) && (await stat(file).catch(() => undefined))?.isFile(),
  );
  return (await Promise.all(exist)).every(Boolean) ? files : undefined;
}

async function dropOn(page: Page, files: string[], given: string, { signal }: Call): Promise<string> {
  const to = await endOf(page, given, undefined, signal);
  const dropsBefore = await dropsOf(page, signal);
  const followed = await actAndAwaitFrame(page, (timeout) => dropFiles(page, files, to.at, timeout), signal);
  const isStill = followed.length === 0 && !page.navigation.pending;
  const without = isStill
    ? await missingEffect(page, to.frame, { isCarried: true, dropsBefore }, signal)
    : [];
  const count = pluralize(files.length, "file");
  return [`Dropped ${count} on ${to.description}.`, ...without, ...followed].join("\n");
}

/** Whether an element can still be pressed at the same point. */
async function isStillThere(
  page: Page,
  { at, frame, ref, text }: End,
  signal: AbortSignal,
): Promise<boolean> {
  if (ref === undefined) return true;
  const check = await frame.call("check", [{ ref, index: 0, stays: true, at: text }, false], signal);
  if (check.status !== "ready") return false;
  const { map } = await page.frames.place(frame, false, signal);
  const { x, y } = apply(map, check);
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
