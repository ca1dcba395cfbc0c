import { writeFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { ToolError } from "@grove/mcp";
import * as z from "zod";
import { framesFor, locate, waitFor } from "../actions/locate";
import { factsOf } from "../actions/settle";
import { desktopTool, onPage } from "../call";
import { DocumentGone } from "../cdp/errors";
import type { Frame } from "../cdp/frame";
import type { Page } from "../cdp/page";
import type { Query } from "../page/find";
import { changes, ref, selector, text, whole, windowId } from "./inputs";

/** Larger images are scaled down: few clients take them, and no model sees more in them. */
const MAX_BYTES = 2 * 1024 * 1024;
/** The tallest page that is drawn in one piece. */
const MAX_HEIGHT = 16_000;

const input = z.strictObject({
  ref,
  selector: selector.describe("Only this element"),
  fullPage: z.boolean().default(false).describe("Also what is out of view"),
  format: z.enum(["png", "jpeg", "webp"]).default("png").describe("Image format"),
  quality: whole(1, 100).optional().describe("For jpeg and webp"),
  maxWidth: whole(50, 4_000).optional().describe("Scale down to this width"),
  path: text(1_000).optional().describe("Also write this file, which ends in the format"),
  windowId,
});
type Input = z.output<typeof input>;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const takeScreenshot = desktopTool({
  name: "take_screenshot",
  title: "Screenshot",
  description:
    "Takes a picture of the window, an element, or the full page. At scale 1 its pixels are click's x and y. To find controls inspect_dom is better.",
  annotations: { ...changes, destructiveHint: false, openWorldHint: false },
  input,
  run: (given, call) => {
    if (given.fullPage && (given.ref ?? given.selector) !== undefined)
      throw new ToolError(
        "invalid_input",
        "fullPage and ref or selector exclude each other",
        "Give only one of them.",
      );
    const file = given.path === undefined ? undefined : fileOf(given.path, given.format);
    return onPage(call, given, async (page) => {
      const subject = await subjectOf(page, given, call.signal);
      const { area, offset, note } = subject;
      let scale = Math.min(1, (given.maxWidth ?? Number.POSITIVE_INFINITY) / area.width);
      let data = await capture(page, given, subject, scale, call.signal);
      while (bytesOf(data) > MAX_BYTES && scale > 0.05) {
        scale *= Math.min(0.8, Math.sqrt(MAX_BYTES / bytesOf(data)) * 0.95);
        data = await capture(page, given, subject, scale, call.signal);
      }
      if (file !== undefined) await save(file, data);
      const facts = [
        `Screenshot ${Math.round(area.width * scale)}x${Math.round(area.height * scale)} ${given.format}, scale ${round(scale)}`,
        ...(offset.x !== 0 || offset.y !== 0
          ? [`its upper left corner is at (${Math.round(offset.x)}, ${Math.round(offset.y)}) in the window`]
          : []),
        ...(scale < 1 ? [`divide its coordinates by ${round(scale)} for click`] : []),
        ...note,
        ...(file === undefined ? [] : [`saved to ${file}`]),
      ];
      return [
        { type: "text", text: `${facts.join("; ")}.` },
        { type: "image", data, mimeType: `image/${given.format}` },
      ];
    });
  },
});

/** What is captured. */
interface Subject {
  /** In CSS pixels of the document. */
  readonly area: Area;
  /** Where it is in the window. */
  readonly offset: { readonly x: number; readonly y: number };
  /** How many of the screen's pixels each is. */
  readonly ratio: number;
  /** It is the window as it is drawn anyway: to clip it has the browser lay out and draw everything once more. */
  readonly isWindow: boolean;
  readonly note: readonly string[];
}

async function subjectOf(
  page: Page,
  { ref, selector, fullPage }: Input,
  signal: AbortSignal,
): Promise<Subject> {
  const [metrics, { devicePixelRatio: ratio, viewport }] = await Promise.all([
    page.session.send("Page.getLayoutMetrics", undefined, signal),
    factsOf(page, signal),
  ]);
  const { cssVisualViewport, cssContentSize } = metrics;
  const { pageX, pageY, clientWidth, clientHeight, scale: zoom } = cssVisualViewport;
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
  if ((ref ?? selector) !== undefined) {
    const box = await boxOf(page, { ref, selector }, signal);
    const now = await page.session.send("Page.getLayoutMetrics", undefined, signal);
    const { pageX, pageY } = now.cssVisualViewport;
    const area = { ...box, x: box.x + pageX, y: box.y + pageY };
    return { area, offset: box, ratio, isWindow: false, note: [] };
  }
  // Pinched larger, only a part of the window's content is in view.
  const shown = zoom === 1 ? viewport : { width: clientWidth, height: clientHeight };
  return {
    area: { x: pageX, y: pageY, ...shown },
    offset: { x: 0, y: 0 },
    ratio,
    isWindow: zoom === 1,
    note: [],
  };
}

async function boxOf(page: Page, query: Pick<Input, "ref" | "selector">, signal: AbortSignal): Promise<Area> {
  for (const frame of await framesFor(page, query.ref, signal)) {
    const box = await shownIn(page, frame, query, signal);
    if (box) return box;
  }
  // Says why, in the words of the other tools.
  const { box, origin } = await locate(page, query, 0, waitFor(0), signal);
  return { ...box, x: box.x + origin.x, y: box.y + origin.y };
}

/** Where a frame shows what is meant; nowhere where its document has been replaced meanwhile. */
async function shownIn(
  page: Page,
  frame: Frame,
  query: Query,
  signal: AbortSignal,
): Promise<Area | undefined> {
  try {
    const box = await frame.call("show", [query], signal);
    const origin = box && (await page.frames.place(frame, signal));
    return origin && { ...box, x: box.x + origin.x, y: box.y + origin.y };
  } catch (error) {
    if (error instanceof DocumentGone) return undefined;
    throw error;
  }
}

async function capture(
  page: Page,
  { format, quality, fullPage }: Input,
  { area, ratio, isWindow }: Subject,
  scale: number,
  signal: AbortSignal,
) {
  const { data } = await page.session.send(
    "Page.captureScreenshot",
    {
      format,
      ...(format !== "png" && { quality: quality ?? 80 }),
      ...(!(isWindow && scale === ratio) && { clip: { ...area, scale: scale / ratio } }),
      captureBeyondViewport: fullPage,
      optimizeForSpeed: true,
    },
    signal,
  );
  return data;
}

const bytesOf = (base64: string) => (base64.length * 3) / 4;
const round = (number: number) => Math.round(number * 1_000) / 1_000;

function fileOf(path: string, format: Input["format"]): string {
  const extensions = format === "jpeg" ? [".jpeg", ".jpg"] : [`.${format}`];
  if (!extensions.includes(extname(path).toLowerCase()))
    throw new ToolError(
      "bad_path",
      `${JSON.stringify(path)} does not end in ${extensions.join(" or ")}`,
      "Only images are written.",
    );
  return resolve(path);
}

async function save(file: string, data: string): Promise<void> {
  try {
    await writeFile(file, Buffer.from(data, "base64"));
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new ToolError(
      "not_written",
      `${JSON.stringify(file)} could not be written (${reason})`,
      "Name a file in a directory that exists.",
    );
  }
}
