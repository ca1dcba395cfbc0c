import type { Protocol } from "devtools-protocol";
import { DocumentGone, ProtocolError } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import { boxAround } from "../page/geometry/affine";
import type { Query } from "../page/search/find";
import { factsOf } from "./actAndWait";
import { awaitDrawing } from "./awaitFrames";
import { waitFor } from "./elementWait";
import { framesFor, locate } from "./locate";

/** Larger images are scaled down: few clients accept them, and no model sees more in them. */
const MAX_BYTES = 2 * 1024 * 1024;
/** The longest side of an image for a model, in pixels: programs scale larger ones down themselves, or refuse them. */
export const MAX_SIDE = 2_000;
/** Images are not scaled down below this. */
const MIN_SCALE = 0.05;

/** The tallest page that is captured in one piece. */
const MAX_HEIGHT = 16_000;

/** The requested picture and its format. */
export interface Wanted extends Pick<Query, "ref" | "selector"> {
  readonly fullPage: boolean;
  readonly format: "png" | "jpeg" | "webp";
  readonly quality?: number | undefined;
  readonly maxWidth?: number | undefined;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The part of the page to capture. */
export interface Subject {
  /** In CSS pixels of the document. */
  readonly area: Area;
  /** The picture's position in the window. */
  readonly offset: { readonly x: number; readonly y: number };
  /** Screen pixels per CSS pixel. */
  readonly ratio: number;
  /** The plain window. With a clip, the browser would lay out and draw everything once more. */
  readonly isWindow: boolean;
  /** The window's picture, if it was taken early. */
  readonly drawn?: string | undefined;
  readonly note: readonly string[];
}

/** Windows that needed no clip last time: normal pixel density, no zoom. */
const windowsWithoutClip = new WeakSet<Page>();

/**
 * Finds what to capture. The query takes a tenth of a frame, a picture at least two frames. So a window that most
 * likely needs no clip is captured at the same time.
 */
export async function subjectOf(page: Page, wanted: Wanted, signal: AbortSignal): Promise<Subject> {
  const { ref, selector, fullPage, maxWidth } = wanted;
  const isOfWindow = !fullPage && (ref ?? selector) === undefined;
  const early = isOfWindow && maxWidth === undefined && windowsWithoutClip.has(page);
  const [drawn, metrics, { devicePixelRatio: ratio, viewport }] = await Promise.all([
    early ? takeEarly(page, wanted, signal) : undefined,
    page.session.send("Page.getLayoutMetrics", undefined, signal),
    factsOf(page, signal),
  ]);
  if (early && drawn === undefined) {
    windowsWithoutClip.delete(page);
    return subjectOf(page, wanted, signal);
  }
  const { cssVisualViewport, cssContentSize } = metrics;
  const { pageX, pageY, clientWidth, clientHeight, scale: zoom } = cssVisualViewport;
  if (zoom === 1 && ratio === 1) windowsWithoutClip.add(page);
  else windowsWithoutClip.delete(page);
  if (isOfWindow)
    return {
      // If the user has pinch-zoomed, only a part of the window's content is in view.
      area:
        zoom === 1
          ? { x: pageX, y: pageY, ...viewport }
          : painted({ x: pageX, y: pageY, width: clientWidth, height: clientHeight }),
      offset: { x: 0, y: 0 },
      ratio,
      isWindow: zoom === 1,
      drawn,
      note: [],
    };
  if (fullPage) {
    const height = Math.min(cssContentSize.height, MAX_HEIGHT);
    const note =
      height < cssContentSize.height
        ? [`cut at ${MAX_HEIGHT} of ${cssContentSize.height} pixels (truncated)`]
        : [];
    return {
      area: { x: 0, y: 0, width: cssContentSize.width, height },
      offset: { x: -pageX, y: -pageY },
      ratio,
      isWindow: false,
      note,
    };
  }
  const box = await boxOf(page, { ref, selector }, signal);
  const now = (await page.session.send("Page.getLayoutMetrics", undefined, signal)).cssVisualViewport;
  const area = painted({ ...box, x: box.x + now.pageX, y: box.y + now.pageY });
  const offset = { x: area.x - now.pageX, y: area.y - now.pageY };
  return { area, offset, ratio, isWindow: false, note: [] };
}

/** The area in whole pixels: some browsers paint a partial pixel, others leave it out. */
function painted({ x, y, width, height }: Area): Area {
  const [left, top] = [Math.round(x), Math.round(y)];
  const [right, bottom] = [Math.round(x + width), Math.round(y + height)];
  return { x: left, y: top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

async function boxOf(page: Page, query: Pick<Query, "ref" | "selector">, signal: AbortSignal): Promise<Area> {
  for (const frame of await framesFor(page, query.ref, signal)) {
    const box = await shownIn(page, frame, query, signal);
    if (box) return box;
  }
  // Throws with the reason, worded as in the other tools.
  const { box, map } = await locate(page, query, 0, waitFor(0), signal);
  return boxAround(map, box);
}

/** Where a frame shows the element; undefined if its document has been replaced in the meantime. */
async function shownIn(
  page: Page,
  frame: Frame,
  query: Query,
  signal: AbortSignal,
): Promise<Area | undefined> {
  try {
    const box = await frame.call("show", [query], signal);
    if (!box) return undefined;
    const { map, isCertain } = await page.frames.place(frame, true, signal);
    return isCertain ? boxAround(map, box) : undefined;
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

/**
 * A picture of the subject, scaled down to the wanted width and the longest side, and further until it is small enough.
 * @returns the image in base64, and its scale: pixels of the image per CSS pixel
 */
export async function capture(
  page: Page,
  wanted: Wanted,
  subject: Subject,
  maxSide: number,
  signal: AbortSignal,
): Promise<{ data: string; scale: number }> {
  const { width, height } = subject.area;
  const widest = wanted.maxWidth ?? Number.POSITIVE_INFINITY;
  let scale = Math.min(1, widest / width, maxSide / Math.max(width, height));
  let data = await captureAt(scale, page, wanted, subject, signal);
  while (bytesOf(data) > MAX_BYTES && scale > MIN_SCALE) {
    scale *= Math.min(0.8, Math.sqrt(MAX_BYTES / bytesOf(data)) * 0.95);
    data = await captureAt(scale, page, wanted, subject, signal);
  }
  return { data, scale };
}

const bytesOf = (base64: string) => (base64.length * 3) / 4;

async function captureAt(
  scale: number,
  page: Page,
  wanted: Wanted,
  { area, ratio, isWindow, drawn }: Subject,
  signal: AbortSignal,
): Promise<string> {
  if (!isWindow || scale !== ratio)
    return take(page, wanted, { clip: { ...area, scale: scale / ratio } }, signal);
  return drawn ?? take(page, wanted, {}, signal);
}

/**
 * Captures the window before anything else is known about it. Undefined if another document arrives in the meantime:
 * the browser then refuses a picture of the previous one, or never answers.
 */
async function takeEarly(page: Page, wanted: Wanted, signal: AbortSignal): Promise<string | undefined> {
  let stop: (() => void) | undefined;
  const replaced = new Promise<undefined>((resolve) => {
    stop = page.session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId === undefined) resolve(undefined);
    });
  });
  try {
    return await Promise.race([take(page, wanted, {}, signal), replaced]);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  } finally {
    stop?.();
  }
}

async function take(
  page: Page,
  { format, quality, fullPage }: Wanted,
  clip: Pick<Protocol.Page.CaptureScreenshotRequest, "clip">,
  signal: AbortSignal,
): Promise<string> {
  const params = {
    format,
    ...(format !== "png" && { quality: quality ?? 80 }),
    ...clip,
    captureBeyondViewport: fullPage,
    optimizeForSpeed: true,
  };
  const screenshot = page.session.send("Page.captureScreenshot", params, signal);
  return (await awaitDrawing(page, screenshot, signal)).data;
}
