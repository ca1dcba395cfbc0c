import { openClosedRoots } from "../cdp/closedRoots";
import { DocumentGone, FrameSilent } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { maths } from "../maths";
import type { Box } from "../page/dom";
import type { Field } from "../page/field";
import type { Query } from "../page/find";
import type { Affine } from "../page/maths";
import type { Aim, Check } from "../page/target";
import { drawn } from "./drawn";
import { notActionable, refusal } from "./refusals";

/** An element that is visible, at rest, enabled and would receive a click at (x, y). */
export interface Located {
  readonly frame: Frame;
  /** From the frame's document to the window. */
  readonly map: Affine;
  /** The point in the frame's document. */
  readonly inFrame: { readonly x: number; readonly y: number };
  readonly ref: string;
  readonly tag: string;
  readonly description: string;
  readonly isLoose: boolean;
  readonly box: Box;
  readonly x: number;
  readonly y: number;
  readonly count: number;
  readonly others: readonly string[];
  /** The field to type into, if text is to be typed. */
  readonly field?: Field | undefined;
}

/** The timeout for an element, and the start of the wait. */
export interface Wait {
  readonly timeoutMs: number;
  readonly started: number;
}

/** How long to wait for an exact match before a loose one is accepted. */
const PATIENT_MS = 1_000;

/** How often closed shadow roots are searched for while an element is missing. */
const SEARCH_MS = 1_000;

export const waitFor = (timeoutMs: number): Wait => ({ timeoutMs, started: performance.now() });

/**
 * Waits until an element can be acted on. It checks with every drawn frame, in one evaluation that finds, measures and
 * hit-tests.
 * @throws {ToolError} with the obstacle when the timeout is over
 */
export async function locate(
  page: Page,
  query: Query & Pick<Aim, "typing">,
  index: number,
  { timeoutMs, started }: Wait,
  signal: AbortSignal,
): Promise<Located> {
  let last: Box | undefined;
  let searched = Number.NEGATIVE_INFINITY;
  for (;;) {
    const waited = performance.now() - started;
    const isLast = waited >= timeoutMs;
    const isPatient = waited < Math.min(timeoutMs, PATIENT_MS);
    const { frame, map, check } = await lookAt(page, { ...query, index, last }, isPatient, isLast, signal);
    // The page may have navigated in the meantime.
    page.whereabouts.check();
    if (check.status === "ready")
      return { ...check, frame, map, inFrame: { x: check.x, y: check.y }, ...maths.apply(map, check) };
    if (check.status === "refused") throw refusal(check.refusal.code, check.refusal.message);
    // A closed shadow root may contain it.
    if (check.status === "missing" && (isLast || waited - searched >= SEARCH_MS) && searched < timeoutMs) {
      searched = waited;
      if (await openAll(page, signal)) continue;
    }
    if (isLast) throw notActionable(check, query, index, timeoutMs);
    last = check.status === "moving" ? check.box : undefined;
    await drawn(page, waited > 1_000 ? 6 : 1, signal);
  }
}

/** Whether a frame has new closed shadow roots. */
async function openAll(page: Page, signal: AbortSignal): Promise<boolean> {
  const frames = await page.frames.separate(signal);
  const counts = await Promise.all(frames.map((frame) => openClosedRoots(frame, signal).catch(() => 0)));
  signal.throwIfAborted();
  return counts.some((count) => count > 0);
}

/** Accepts a loose match only if no frame has an exact one. */
async function lookAt(
  page: Page,
  aim: Aim,
  isPatient: boolean,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Look> {
  if (aim.text === undefined || aim.fuzzy === false) return look(page, aim, isLast, signal);
  const exact = await look(page, { ...aim, isPatient: true }, false, signal);
  return isPatient || exact.check.status !== "missing" ? exact : look(page, aim, isLast, signal);
}

interface Look {
  readonly frame: Frame;
  readonly map: Affine;
  readonly check: Check;
}

async function look(page: Page, aim: Aim, explain: boolean, signal: AbortSignal): Promise<Look> {
  const frames = await framesFor(page, aim.ref, signal);
  let passed = 0;
  const near: string[] = [];
  let refused: Check | undefined;
  let select: string | undefined;
  for (const frame of frames) {
    const { check, map } = await lookIn(page, frame, { ...aim, index: aim.index - passed }, explain, signal);
    if (check.status === "refused") refused = check;
    else if (check.status !== "missing")
      return { frame, map, check: { ...check, count: check.count + passed } };
    else {
      near.push(...check.near);
      select ??= check.select;
    }
    passed += check.count;
  }
  const check: Check = refused ?? { status: "missing", count: passed, near: near.slice(0, 5), select };
  return { frame: page.top, map: maths.identity(), check };
}

/** The frames that may contain an element: the one that issued its ref, or all. */
export const framesFor = async (page: Page, ref: string | undefined, signal: AbortSignal) =>
  ref === undefined ? page.frames.separate(signal) : [page.frames.of(ref) ?? page.top];

async function lookIn(
  page: Page,
  frame: Frame,
  aim: Aim,
  explain: boolean,
  signal: AbortSignal,
): Promise<Look> {
  try {
    const check = await frame.call("check", [aim, explain], signal);
    if (check.status !== "ready") return { frame, map: maths.identity(), check };
    const { x, y } = check;
    const { map, isCertain, coveredBy } = await page.frames.place(frame, true, signal, { x, y });
    if (!isCertain) return { frame, map, check: { ...check, status: "distorted" } };
    if (coveredBy === undefined) return { frame, map, check };
    return { frame, map, check: { ...check, status: "covered", by: coveredBy } };
  } catch (error) {
    if (!(error instanceof DocumentGone) || (error instanceof FrameSilent && aim.ref !== undefined))
      throw error;
    // The next document may contain it.
    return { frame, map: maths.identity(), check: { status: "missing", count: 0, near: [] } };
  }
}
