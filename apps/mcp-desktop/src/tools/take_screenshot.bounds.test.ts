import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();
const folder = mkdtempSync(join(tmpdir(), "grove-pictures-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Width and height, from the header of a png. */
const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)] as const;

it.each([
  ["tall", "width:600px;height:9000px"],
  ["wide", "width:9000px;height:600px"],
  ["large in both directions", "width:5000px;height:5000px"],
])("bounds the picture of an element that is %s, and saves the whole one", async (_, style) => {
  await app.show(`<div id=box style="${style};background:linear-gradient(red,blue)"></div>`);
  const path = join(folder, `${style.replace(/\W/g, "")}.png`);
  const { text, images } = await app.call("take_screenshot", { selector: "#box", path });
  const [width, height] = sizeOf(Buffer.from(images[0]?.data ?? "", "base64"));
  expect(Math.max(width, height)).toBeLessThanOrEqual(2_000);
  expect(text).toMatch(/divide its coordinates by .*no side is longer than 2000/);
  expect(Math.max(...sizeOf(readFileSync(path)))).toBeGreaterThanOrEqual(5_000);
});

it("bounds the picture of a full page, also as jpeg and with a width", async () => {
  await app.show(`<div style="height:8000px">Long</div>`);
  const tall = await app.call("take_screenshot", { fullPage: true, maxWidth: 1_000 });
  expect(sizeOf(Buffer.from(tall.images[0]?.data ?? "", "base64"))[1]).toBeLessThanOrEqual(2_000);
  expect(await app.do("take_screenshot", { fullPage: true, format: "jpeg" })).toMatch(
    /^Screenshot \d+x2000 jpeg, scale 0\.\d+/,
  );
});
