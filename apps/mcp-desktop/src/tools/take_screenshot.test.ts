import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";
import { Relay } from "../testing/relay";

const app = useApp();

/** The width and height in a PNG's header. */
function sizeOf(base64: string | undefined): [number, number] {
  const header = Buffer.from(base64 ?? "", "base64");
  return [header.readUInt32BE(16), header.readUInt32BE(20)];
}

const squares = `<style>body { margin: 0 } ::-webkit-scrollbar { display: none }</style><div style="height:2000px"></div>
  <div id=box style="width:120px;height:80px;margin-left:30px;background:red"></div><div style="height:900px"></div>`;

it("takes the window in CSS pixels, also on a dense screen", async () => {
  await app.show(squares);
  const [width, height] = (await app.value("[document.documentElement.clientWidth, innerHeight]")) as [
    number,
    number,
  ];
  const plain = await app.call("take_screenshot");
  expect(plain.text).toBe(`Screenshot ${width}x${height} png, scale 1.`);
  expect(plain.images[0]?.mimeType).toBe("image/png");
  expect(sizeOf(plain.images[0]?.data)).toEqual([width, height]);
  const page = await app.desktop?.page(undefined, AbortSignal.timeout(5_000));
  const dense = { width: 500, height: 400, deviceScaleFactor: 2, mobile: false };
  await page?.session.send("Emulation.setDeviceMetricsOverride", dense, AbortSignal.timeout(5_000));
  expect(sizeOf((await app.call("take_screenshot")).images[0]?.data)).toEqual([500, 400]);
  await page?.session.send("Emulation.clearDeviceMetricsOverride", undefined, AbortSignal.timeout(5_000));
  for (let again = 0; again < 3; again++)
    expect(sizeOf((await app.call("take_screenshot")).images[0]?.data)).toEqual([width, height]);
  const pinched = { pageScaleFactor: 2 };
  await page?.session.send("Emulation.setPageScaleFactor", pinched, AbortSignal.timeout(5_000));
  const { text, images } = await app.call("take_screenshot");
  const half = [width, height].map((side) => Math.round(side / 2));
  expect(text).toBe(`Screenshot ${half.join("x")} png, scale 1.`);
  expect(sizeOf(images[0]?.data)).toEqual(half);
});

it("captures the page that arrived in the meantime", async () => {
  const relay = await Relay.start(app.browser.url, { held: ["Page.captureScreenshot"] });
  onTestFinished(() => relay.stop());
  await app.connect({ cdpUrl: relay.url });
  const next = app.page("<body style='background: red'>", "localhost");
  await app.show(squares);
  const before = app.call("take_screenshot");
  await expect.poll(() => relay.kept).toBe(1);
  relay.release(1);
  // The previous picture has shown that the window needs no clip, so from now on pictures are taken early.
  await before;
  const meanwhile = app.call("take_screenshot");
  await expect.poll(() => relay.kept).toBe(1);
  await app.do("navigate", { url: next });
  await expect.poll(() => relay.kept).toBe(2);
  relay.release(2);
  const after = app.call("take_screenshot");
  await expect.poll(() => relay.kept).toBe(1);
  relay.release(1);
  expect((await meanwhile).images).toEqual((await after).images);
  expect((await meanwhile).images).not.toEqual((await before).images);
});

it("captures the window with its scrollbars, at its scroll position", async () => {
  await app.show(`<style>body { margin: 0; height: 3000px }</style>Long`);
  const [width, height] = (await app.value("scrollTo(0, 500), [innerWidth, innerHeight]")) as [
    number,
    number,
  ];
  expect(width).toBeGreaterThan(Number(await app.value("document.documentElement.clientWidth")));
  expect(sizeOf((await app.call("take_screenshot")).images[0]?.data)).toEqual([width, height]);
});

it("captures the whole page, one element, a smaller picture", async () => {
  await app.show(squares);
  const full = await app.call("take_screenshot", { fullPage: true });
  expect(sizeOf(full.images[0]?.data)[1]).toBe(2000);
  const element = await app.call("take_screenshot", { selector: "#box" });
  expect(sizeOf(element.images[0]?.data)).toEqual([120, 80]);
  expect(element.text).toMatch(
    /^Screenshot 120x80 png, scale 1; its upper left corner is at \(30, \d+\) in the window\.$/,
  );
  const small = await app.call("take_screenshot", { maxWidth: 200 });
  expect(sizeOf(small.images[0]?.data)[0]).toBe(200);
  expect(small.text).toMatch(
    /^Screenshot 200x\d+ png, scale 0\.\d+; divide its coordinates by 0\.\d+ for click\.$/,
  );
});

it.each([
  ["width:120.4px;height:80.5px;margin:10px", "120x81"],
  ["width:33.6px;height:20px;margin:10.25px", "34x20"],
])("captures the painted area of an element with a fractional size: %s", async (style, size) => {
  await app.show(`<style>body { margin: 0 }</style><div id=box style="background:red;${style}"></div>`);
  const { text, images } = await app.call("take_screenshot", { selector: "#box" });
  expect(text).toMatch(
    new RegExp(`^Screenshot ${size} png, scale 1; its upper left corner is at \\(10, 10\\)`),
  );
  expect(sizeOf(images[0]?.data).join("x")).toBe(size);
});

it.each(["jpeg", "webp"])("captures %s", async (format) => {
  await app.show(squares);
  const { images, text } = await app.call("take_screenshot", { format, quality: 50 });
  expect(images[0]?.mimeType).toBe(`image/${format}`);
  expect(text).toContain(format);
});

it("scales down a picture over 2 MB", async () => {
  await app.show(`<canvas id=c width=1600 height=1600></canvas><script>
    const image = c.getContext("2d").createImageData(1600, 1600);
    for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, at + 65536));
    for (let at = 3; at < image.data.length; at += 4) image.data[at] = 255;
    c.getContext("2d").putImageData(image, 0, 0);
  </script>`);
  const { images, text } = await app.call("take_screenshot", { fullPage: true });
  expect((images[0]?.data.length ?? 0) * 0.75).toBeLessThan(2 * 1024 * 1024);
  expect(text).toMatch(/scale 0\.\d+/);
});

it("writes image files only", async () => {
  const directory = await temporaryDirectory();
  await app.show(squares);
  const path = join(directory, "shot.png");
  const { text, images } = await app.call("take_screenshot", { path });
  expect(text).toContain(`saved to ${path}`);
  expect((await readFile(path)).toString("base64")).toBe(images[0]?.data);
  expect(await app.fail("take_screenshot", { path })).toMatch(
    /^not_written: .*\(EEXIST\)\. Files are not overwritten/,
  );
  expect(await app.fail("take_screenshot", { path: join(directory, ".bashrc") })).toMatch(
    /^bad_path: .* does not end in \.png/,
  );
  expect(await app.fail("take_screenshot", { path: join(directory, "no", "shot.png") })).toMatch(
    /^not_written: .*\(ENOENT\)/,
  );
});

it("reports why it cannot take a picture", async () => {
  await app.show(squares);
  expect(await app.fail("take_screenshot", { selector: "#none" })).toMatch(/^not_found/);
  expect(await app.fail("take_screenshot", { ref: "e77" })).toMatch(/^not_a_ref/);
  expect(await app.fail("take_screenshot", { selector: "#box", fullPage: true })).toMatch(
    /^invalid_input: fullPage cannot be combined with ref or selector/,
  );
  expect(await app.fail("take_screenshot", { quality: 50 })).toMatch(/^invalid_input: A png has no quality/);
});
