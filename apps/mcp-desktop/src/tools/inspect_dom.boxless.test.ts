import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const inspect = (args = {}) => app.do("inspect_dom", args);

it.each([
  ["a button", `<button style="display:contents" onclick="hit()">Go</button>`],
  ["a link around a box", `<a href="#/go" style="display:contents" onclick="hit()"><b>Go</b></a>`],
  [
    "nested elements",
    `<div role=button tabindex=0 style="display:contents" onclick="hit()"><span style="display:contents">Go</span></div>`,
  ],
  [
    "a custom element",
    `<x-go style="display:contents" role=button onclick="hit()"></x-go><script>document.querySelector("x-go").attachShadow({ mode: "open" }).innerHTML = "<span>Go</span>"</script>`,
  ],
])("shows and clicks %s whose box is only that of its contents", async (_, html) => {
  await app.show(`<script>window.hits = 0; window.hit = () => hits++</script>
    <div style="height:1500px"></div><div id=box>${html}</div>`);
  await app.do("click", { text: "Go" });
  const [, ref = ""] = /^\s*(e\d+) .*"Go".* \d+,\d+ \d+x\d+$/m.exec(await inspect()) ?? [];
  await app.do("click", { ref });
  expect(await app.value("hits")).toBe(2);
  expect(await app.do("take_screenshot", { ref })).toMatch(/^Screenshot \d+x\d+/);
});

it("does not show contents that are hidden", async () => {
  await app.show(`<button style="display:contents;visibility:hidden">Hidden</button>
    <div style="display:none"><button style="display:contents">Gone</button></div>`);
  expect(await inspect()).toContain(": 0 elements");
});

it("types into a field by a label whose box is only that of its contents", async () => {
  await app.show(`<label id=name style="display:contents">Name <input></label>`);
  await app.do("type_text", { selector: "#name", text: "Ada" });
  expect(await app.value("document.querySelector('input').value")).toBe("Ada");
});

const hidings = [
  "opacity:0;width:0;height:0",
  "opacity:0;position:absolute;inset:0 auto auto 0;width:50px;height:20px;pointer-events:none",
  "position:absolute;left:-9999px",
  "position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden",
  "display:none",
  "visibility:hidden",
  "appearance:none;width:0;height:0;margin:0",
];

it.each(hidings)("shows and clicks a switch whose control is hidden by %s", async (style) => {
  await app.show(`<p>Settings</p><label style="display:inline-block;width:50px;height:20px;background:silver">
    <input type=checkbox aria-label="Dark mode" style="${style}"><span></span></label>`);
  expect(await inspect()).toMatch(/"Dark mode" \(unchecked\) \d+,\d+ 50x20/);
  await app.do("click", { text: "Dark mode" });
  expect(await inspect()).toMatch(/"Dark mode" \(checked.*\) \d+,\d+ 50x20/);
});

it("clicks beside a link in the label of a hidden control", async () => {
  await app.show(
    `<label><input type=checkbox id=ok style="opacity:0;width:0;height:0"><a href="#/terms">I accept the terms</a> ok</label>`,
  );
  await app.do("click", { selector: "#ok" });
  expect(await app.value("[ok.checked, location.hash]")).toEqual([true, ""]);
});

const picture = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='200'/%3E";

it("shows and clicks the areas of an image map", async () => {
  await app.show(`<div style="height:1200px"></div><img usemap="#plan" src="${picture}" width=300 height=200 style="border:5px solid;padding:5px">
    <map name=plan><area alt=Kitchen href="#/kitchen" shape=rect coords="0,0,100,100">
    <area title=Hall href="#/hall" shape=circle coords="200,50,40">
    <area aria-label=Garden href="#/garden" shape=poly coords="0,200,100,200,0,110"></map>
    <map name=unused><area alt=Nowhere href="#/nowhere" coords="0,0,9,9"></map>`);
  for (const [name, hash] of [
    ["Kitchen", "#/kitchen"],
    ["Hall", "#/hall"],
    ["Garden", "#/garden"],
  ]) {
    await app.do("click", { text: name });
    expect(await app.value("location.hash")).toBe(hash);
  }
  const seen = await inspect();
  expect(seen).toMatch(/area "Kitchen" \d+,\d+ 100x100/);
  expect(seen).toMatch(/area "Hall" \d+,\d+ 80x80/);
  expect(seen).not.toContain("Nowhere");
});

it("shows what only a picture can show, and turns the wheel over it", async () => {
  await app.show(`<canvas width=300 height=200 onwheel="window.turned = event.deltaY"></canvas>
    <video width=320 height=180></video><canvas width=0 height=0></canvas>`);
  const seen = await inspect();
  expect(seen).toMatch(/e\d+ canvas \d+,\d+ 300x200/);
  expect(seen).toMatch(/e\d+ video \d+,\d+ 320x180/);
  expect(seen).toContain(": 2 elements");
  await app.do("scroll", { ref: "e1", y: 40 });
  expect(await app.value("window.turned")).toBe(40);
  await app.do("scroll", { selector: "canvas", y: 60 });
  expect(await app.value("window.turned")).toBe(60);
});

it("leaves out elements whose role gives them no meaning", async () => {
  await app.show(`<div role=presentation><div role=none><button>Sort</button></div></div>
    <div role=none aria-label="Named">Text</div><div role=presentation tabindex=0>Used</div>`);
  const seen = await inspect();
  expect(seen).not.toMatch(/:(presentation|none) \d|:none$/m);
  expect(seen).toMatch(/"Sort"/);
  expect(seen).toMatch(/"Used"/);
});

it("leaves out native controls that only carry the value of a drawn one", async () => {
  await app.show(`<div role=combobox tabindex=0 aria-label=Country>France</div>
    <input aria-hidden=true tabindex=-1 style="opacity:0"><select aria-hidden=true tabindex=-1><option>France</select>
    <input aria-label=Quiet tabindex=-1>`);
  const seen = await inspect();
  expect(seen).toContain(": 2 elements");
  expect(seen).toMatch(/combobox "Country".*\n.*"Quiet"/);
});

it("names the select of an option that was to be clicked", async () => {
  await app.show(`<select aria-label=Country><option>France<option>Germany</select><button>Small</button>`);
  const { text } = await app.call("click", { text: "Germany", timeoutMs: 100 });
  expect(text).toContain('text "Germany" is only an option of <select> "Country" [e');
  expect(text).toContain("type_text");
});

it("distinguishes an old ref from what was never one", async () => {
  await app.show("<button>One</button>");
  await inspect();
  expect((await app.call("click", { ref: "One" })).text).toMatch(/^not_a_ref: .*Take a ref from inspect_dom/);
  expect((await app.call("click", { ref: "e9" })).text).toMatch(/^not_a_ref: /);
  await app.value("document.querySelector('button').remove()");
  expect((await app.call("click", { ref: "e1" })).text).toMatch(/^stale_ref: .*has changed/);
});
