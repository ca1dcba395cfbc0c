import { writeFile } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { type ToolContent, ToolError } from "@grove/mcp";
import * as z from "zod";
import { capture, MAX_SIDE, subjectOf } from "../actions/picture";
import { type Call, desktopTool, onPage } from "../desktopTool";
import {
  integerWithin,
  optionalText,
  readAnnotations,
  ref,
  selector,
  windowId,
  withDefault,
  writeAnnotations,
} from "./inputs";

const input = z.strictObject({
  ref,
  selector: selector.describe("Only this element"),
  fullPage: withDefault(z.boolean(), false).describe("Also out of view"),
  format: withDefault(z.enum(["png", "jpeg", "webp"]), "png").describe("Default png"),
  quality: integerWithin(1, 100).optional().describe("For jpeg and webp"),
  maxWidth: integerWithin(50, 4_000).optional().describe("Scaled to"),
  path: optionalText(1_000).describe("New image file: full path, or from the server's directory"),
  windowId,
});
type Input = z.output<typeof input>;

const screenshot = {
  name: "take_screenshot",
  title: "Screenshot",
  description: "Captures the window, an element or the full page. At scale 1 its pixels are click's x and y.",
  run(given: Input, call: Call): Promise<ToolContent[]> {
    if (given.fullPage && (given.ref ?? given.selector) !== undefined)
      throw new ToolError(
        "invalid_input",
        "fullPage cannot be combined with ref or selector",
        "Give only one of them.",
      );
    if (given.quality !== undefined && given.format === "png")
      throw new ToolError("invalid_input", "A png has no quality", "Use jpeg or webp, or omit quality.");
    const file = given.path === undefined ? undefined : fileOf(given.path, given.format);
    return onPage(call, given, async (page) => {
      const subject = await subjectOf(page, given, call.signal);
      const { area, offset, note } = subject;
      const { data, scale } = await capture(page, given, subject, MAX_SIDE, call.signal);
      if (file !== undefined) {
        const isUnscaled = Math.max(area.width, area.height) <= MAX_SIDE;
        await save(
          file,
          isUnscaled
            ? data
            : (await capture(page, given, subject, Number.POSITIVE_INFINITY, call.signal)).data,
        );
      }
      const facts = [
        `Screenshot ${Math.round(area.width * scale)}x${Math.round(area.height * scale)} ${given.format}, scale ${round(scale)}`,
        ...(offset.x !== 0 || offset.y !== 0
          ? [`its upper left corner is at (${Math.round(offset.x)}, ${Math.round(offset.y)}) in the window`]
          : []),
        ...(scale < 1 ? [`divide its coordinates by ${round(scale)} for click`] : []),
        ...(Math.max(area.width, area.height) > MAX_SIDE
          ? [`no side is longer than ${MAX_SIDE}: take an element or the window for details`]
          : []),
        ...note,
        ...(file === undefined ? [] : [`saved to ${file}`]),
      ];
      return [
        { type: "text", text: `${facts.join("; ")}.` },
        { type: "image", data, mimeType: `image/${given.format}` },
      ];
    });
  },
};

export const takeScreenshot = desktopTool({
  ...screenshot,
  annotations: { ...writeAnnotations, destructiveHint: false, openWorldHint: false },
  input,
});

/** This tool without a file, for a read-only server. */
export const viewScreenshot = desktopTool({
  ...screenshot,
  annotations: { ...readAnnotations, openWorldHint: false },
  input: input.omit({ path: true }),
});

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
    await writeFile(file, Buffer.from(data, "base64"), { flag: "wx" });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new ToolError(
      "not_written",
      `${JSON.stringify(file)} could not be written (${reason})`,
      reason === "EEXIST"
        ? "Files are not overwritten: name another."
        : "Name a file in a directory that exists.",
    );
  }
}
