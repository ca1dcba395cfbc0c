import { openClosedRoots } from "../cdp/closedRoots";
import { DocumentGone, FrameSilent } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import type { Affine, Box } from "../page/geometry/affine";
import { apply, identity } from "../page/geometry/affine";
import type { Query } from "../page/search/find";
import type { Aim, Check } from "../page/target/check";
import type { Field } from "../page/typing/field";
import { awaitFrames } from "./awaitFrames";
import type { ElementWait } from "./elementWait";
import { notActionable, refusal } from "./refusals";

/** An element that is visible, at rest, enabled and would receive a click at (x, y). */
export interface Located {
  readonly frame: Frame;
  /** Maps the frame's document to the window. */
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

/** How long to wait for an exact match before a loose one is accepted. */
const PATIENT_MS = 1_000;

/** How often closed shadow roots are searched for while an element is missing. */
const SEARCH_MS = 1_000;

/**
 * Waits until an element can be acted on. It checks with every drawn frame, in one evaluation that finds, measures and
 * hit-tests.
 * @throws {ToolError} with the obstacle when the timeout is over
 */
export async function locate(
  page: Page,
  query: Query & Pick<Aim, "typing">,
  index: number,
  { timeoutMs, started }: ElementWait,
  signal: AbortSignal,
): Promise<Located> {
  let last: Box | undefined;
  let searched = Number.NEGATIVE_INFINITY;
  for (;;) {
    const waited = performance.now() - started;
    const isLast = waited >= timeoutMs;
    const isPatient = waited < Math.min(timeoutMs, PATIENT_MS);
    const { frame, map, check } = await findTarget(
      page,
      { ...query, index, last },
      isPatient,
      isLast,
      signal,
    );
    // The page may have navigated in the meantime.
    page.topFrameUrl.check();
    if (check.status === "ready")
      return { ...check, frame, map, inFrame: { x: check.x, y: check.y }, ...apply(map, check) };
    if (check.status === "refused") throw refusal(check.refusal.code, check.refusal.message);
    // A closed shadow root may contain it, or its frame, which the root's host then seems to cover.
    const mayBeInRoot = check.status === "missing" || (check.status === "covered" && frame !== page.top);
    if (mayBeInRoot && (isLast || waited - searched >= SEARCH_MS) && searched < timeoutMs) {
      searched = waited;
      if (await openAll(page, signal)) continue;
    }
    if (isLast) throw notActionable(check, query, index, timeoutMs);
    last = check.status === "moving" ? check.box : undefined;
    await awaitFrames(page, waited > 1_000 ? 6 : 1, signal);
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
async function findTarget(
  page: Page,
  aim: Aim,
  isPatient: boolean,
  isLast: boolean,
  signal: AbortSignal,
): Promise<Found> {
  if (aim.text === undefined || aim.fuzzy === false) return findInFrames(page, aim, isLast, signal);
  const exact = await findInFrames(page, { ...aim, isPatient: true }, false, signal);
  return isPatient || exact.check.status !== "missing" ? exact : findInFrames(page, aim, isLast, signal);
}

interface Found {
  readonly frame: Frame;
  readonly map: Affine;
  readonly check: Check;
}

async function findInFrames(page: Page, aim: Aim, explain: boolean, signal: AbortSignal): Promise<Found> {
  const frames = await framesFor(page, aim.ref, signal);
  let passed = 0;
  const near: string[] = [];
  let refused: Check | undefined;
  let select: string | undefined;
  for (const frame of frames) {
    const { check, map } = await findInFrame(
      page,
      frame,
      { ...aim, index: aim.index - passed },
      explain,
      signal,
    );
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
  return { frame: page.top, map: identity(), check };
}

/** Returns the frames that may contain an element: the frame that issued its ref, or all frames. */
export const framesFor = async (page: Page, ref: string | undefined, signal: AbortSignal) =>
  ref === undefined ? page.frames.separate(signal) : [page.frames.of(ref) ?? page.top];

async function findInFrame(
  page: Page,
  frame: Frame,
  aim: Aim,
  explain: boolean,
  signal: AbortSignal,
): Promise<Found> {
  try {
    const check = await frame.call("check", [aim, explain], signal);
    if (check.status !== "ready") return { frame, map: identity(), check };
    const { x, y } = check;
    const { map, isCertain, coveredBy } = await page.frames.place(frame, true, signal, { x, y });
    if (!isCertain) return { frame, map, check: { ...check, status: "distorted" } };
    if (coveredBy === undefined) return { frame, map, check };
    return { frame, map, check: { ...check, status: "covered", by: coveredBy } };
  } catch (error) {
    if (!(error instanceof DocumentGone) || (error instanceof FrameSilent && aim.ref !== undefined))
      throw error;
    // The next document may contain the element.
    return { frame, map: identity(), check: { status: "missing", count: 0, near: [] } };
  }
}
