import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const inspect = () => app.do("inspect_dom");

it("does not scroll the page, not even for a frame of another site that is out of view", async () => {
  const inner = app.page("<button>Inside</button>", "localhost");
  await app.show(`<button onclick="window.hit = true">Top button</button><div style="height:1500px"></div>
    <iframe src="${inner}"></iframe>`);
  await expect.poll(inspect).toContain('"Inside"');
  const seen = await inspect();
  expect(await app.value("scrollY")).toBe(0);
  const [, x, y] = /"Top button" (\d+),(\d+)/.exec(seen)?.map(Number) ?? [];
  await app.do("click", { x: Number(x) + 10, y: Number(y) + 10 });
  expect(await app.value("window.hit")).toBe(true);
  // An element that cannot be clicked has no place.
  expect(seen).toMatch(/button "Inside"$/m);
});

it.each(["127.0.0.1", "localhost"] as const)(
  "places only elements in view, within scrolling containers and frames of %s",
  async (host) => {
    const inner = app.page(
      `<body style="margin:0"><button style="width:50px;height:20px">Near</button><button style="position:absolute;top:150px;left:0;width:50px;height:20px">Far</button>`,
      host,
    );
    await app.show(`<body style="margin:0"><div style="height:100px;overflow:auto">
      <button>First</button><div style="height:200px"></div><button>Last</button>
      <button style="position:fixed;top:300px;left:0">Fixed</button></div>
      <iframe src="${inner}" style="display:block;border:0;height:100px"></iframe>`);
    await expect.poll(inspect).toContain('"Near"');
    const seen = await inspect();
    expect(seen).toMatch(/"First" \d+,\d+/);
    expect(seen).toMatch(/"Last"$/m);
    expect(seen).toMatch(/"Fixed" 0,300/);
    expect(seen).toMatch(/"Near" 0,100/);
    expect(seen).toMatch(/"Far"$/m);
  },
);

const drawing = `<script>window.hits = [];</script><svg width=400 height=100 viewBox="0 0 400 100">
  <g role=button aria-label="Red star" onclick="hits.push('star')"><path d="M20 20h60v60h-60z" fill=red /></g>
  <g tabindex=0 onclick="hits.push('box')"><title>Blue box</title><rect x=100 y=20 width=60 height=60 fill=blue /></g>
  <a href="#/report"><text x=180 y=50>Report</text></a><text x=250 y=50>March <tspan>2026</tspan></text>
  <foreignObject x=300 y=0 width=100 height=100><div><button onclick="hits.push('html')">Inner</button></div></foreignObject>
  <g role=presentation><path d="M0 0h1v1z" /></g></svg>`;

it("shows the readable and usable parts of a drawing", async () => {
  await app.show(drawing);
  expect((await inspect()).split("\n").slice(1)).toEqual([
    'e1 g:button "Red star" 28,28 60x60',
    'e2 g "Blue box" (clickable) 108,28',
    expect.stringMatching(/^e3 a "Report" \d+,\d+ \d+x\d+$/),
    '"March 2026"',
    expect.stringMatching(/^e4 button "Inner" 308,8 \d+x\d+$/),
  ]);
});

it("lets them be clicked by their text, too", async () => {
  await app.show(drawing);
  for (const text of ["Red star", "Blue box", "Report", "Inner"]) await app.do("click", { text });
  expect(await app.value("[hits, location.hash]")).toEqual([["star", "box", "html"], "#/report"]);
  await app.do("click", { text: "March 2026", fuzzy: false });
});

it("shows the options of a select, and distinguishes fields without a name", async () => {
  const many = Array.from({ length: 14 }, (_, index) => `<option>Item ${index}`).join("");
  await app.show(
    `<select aria-label=Size><option>S<option selected>M</select><select aria-label=Long>${many}</select><input name=first><input id=second><input><label>Known <input name=third></label>`,
  );
  const seen = await inspect();
  expect(seen).toMatch(/select "Size" ="M" of "S", "M" \d+/);
  expect(seen).toMatch(/of "Item 0", .*"Item 9" … 4 more/);
  expect(seen).toMatch(/input:textbox \[name="first"\] \d+/);
  expect(seen).toMatch(/input:textbox \[id="second"\] \d+/);
  expect(seen).toMatch(/input:textbox \d+/);
  expect(seen).toMatch(/input:textbox "Known" \d+/);
});
