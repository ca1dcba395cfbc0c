import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();
const folder = mkdtempSync(join(tmpdir(), "grove-files-"));
const [one, two] = ["one.txt", "two.txt"].map((name) => join(folder, name)) as [string, string];
for (const file of [one, two]) writeFileSync(file, "text");
afterAll(() => rmSync(folder, { recursive: true }));

const show = "window.chosen = [...(this.files ?? event.dataTransfer.files)].map(({ name }) => name)";

it.each([
  [
    "in the document",
    `<input type=file id=input hidden onchange="${show}"><button onclick="input.click()">Upload</button>`,
  ],
  [
    "made by a script",
    `<button onclick="const input = Object.assign(document.createElement('input'), { type: 'file' }); input.onchange = function (event) { ${show} }; input.click()">Upload</button>`,
  ],
])("reports a file chooser of an input %s, and takes files for it", async (_, html) => {
  await app.show(html);
  const answer = await app.do("click", { text: "Upload" });
  expect(answer).toMatch(/The page asked for a file by <input>.* \[e\d+\]: give a full path to type_text/);
  const [, ref] = /by <input>.* \[(e\d+)\]/.exec(answer) ?? [];
  await app.do("type_text", { ref, text: one });
  expect(await app.value("chosen")).toEqual(["one.txt"]);
});

it("reports a file chooser that a key opens in a frame", async () => {
  await app.show(
    `<iframe srcdoc="<input type=file multiple autofocus onchange='parent.chosen = this.files.length'>"></iframe>`,
  );
  await app.value("document.querySelector('iframe').contentDocument.querySelector('input').focus()");
  const answer = await app.do("send_keys", { keys: ["Enter"] });
  expect(answer).toContain("give full paths, one per line, to type_text");
  const [, ref] = /by <input>.* \[(e\d+)\]/.exec(answer) ?? [];
  await app.do("type_text", { ref, text: `${one}\n${two}` });
  expect(await app.value("chosen")).toBe(2);
});

it("drops files on a zone without an input", async () => {
  await app.show(`<div id=zone ondragover="event.preventDefault()" ondrop="event.preventDefault(); ${show}"
    style="width:200px;height:100px">Drop files here</div><p style="height:50px">Elsewhere</p>`);
  expect(await app.do("inspect_dom")).toMatch(/e\d+ div "Drop files here" \(clickable\) \d+,\d+/);
  const dropped = await app.do("drag", { from: `${one}\n${two}`, to: "Drop files here" });
  expect(dropped).toMatch(/^Dropped 2 files on <div> "Drop files here" \[e\d+\]\.$/);
  expect(await app.value("chosen")).toEqual(["one.txt", "two.txt"]);
  expect(await app.do("drag", { from: one, to: "Elsewhere" })).toContain("Nothing there accepted the drop.");
  expect(await app.fail("type_text", { selector: "#zone", text: one })).toContain("drag for files to drop");
});

it("drags by text and selector", async () => {
  await app.show(`<p id=card draggable=true>Card</p><div class=zone ondragover="event.preventDefault()"
    ondrop="window.drops = (window.drops ?? 0) + 1">Dropzone</div>`);
  await app.do("drag", { from: "Card", to: "Dropzone" });
  await app.do("drag", { from: "#card", to: "div.zone" });
  expect(await app.value("drops")).toBe(2);
  expect(await app.fail("drag", { from: "e77", to: "Dropzone" })).toMatch(/^not_a_ref/);
});
