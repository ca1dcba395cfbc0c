import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";
import { appPage, listPage, virtualListPage } from "../testing/pages";

const app = useApp();

const inspect = (args = {}) => app.do("inspect_dom", args);

it("shows what is on screen, one line per element", async () => {
  await app.show(appPage);
  await expect(
    `${(await inspect()).replace(/http:\S+/, "<address>").replace(/ -?\d+,-?\d+( \d+x\d+)?$/gm, "")}\n`,
  ).toMatchFileSnapshot("inspect_dom.snapshot.txt");
});

it("gives bounds that click accepts", async () => {
  await app.show(appPage);
  const [, x, y, width, height] =
    /button "Save profile" (\d+),(\d+) (\d+)x(\d+)/.exec(await inspect())?.map(Number) ?? [];
  await app.do("click", { x: Number(x) + Number(width) / 2, y: Number(y) + Number(height) / 2 });
  expect(await app.value("marks")).toEqual(["save"]);
});

it("places elements in view, and shows a size if it differs from the one above", async () => {
  const button = (name: string, top: number, width: number) =>
    `<button style="position:absolute;left:10px;top:${top}px;width:${width}px;height:20px">${name}</button>`;
  await app.show(button("A", 0, 50) + button("B", 20, 50) + button("C", 9_000, 50) + button("D", 40, 70));
  expect((await inspect()).split("\n").slice(1)).toEqual([
    'e1 button "A" 10,0 50x20',
    'e2 button "B" 10,20',
    'e3 button "C"',
    'e4 button "D" 10,40 70x20',
  ]);
});

it("narrows to controls, to a text, to a part, to a depth, to a number", async () => {
  await app.show(appPage);
  const controls = await inspect({ interactiveOnly: true });
  expect(controls).not.toMatch(/ (h1|nav|table|tr|form) /);
  expect(controls).toContain('button "Save profile"');
  expect(await inspect({ text: "edit" })).toMatch(/: 2 elements\.\n.*"Edit".*\n.*"Edit"/);
  expect(await inspect({ selector: "nav" })).toMatch(/: 4 elements\.\n\S+ nav "Main"\n \S+ a "Tasks"/);
  expect((await inspect({ maxDepth: 0 })).split("\n").every((line) => !line.startsWith(" "))).toBe(true);
  expect(await inspect({ maxElements: 3 })).toMatch(/: \d+ elements, 3 shown \(truncated: ask for/);
  expect(await inspect({ selector: "#none" })).toMatch(/: 0 elements\.$/);
  expect(await app.fail("inspect_dom", { selector: "##" })).toMatch(
    /^invalid_selector: "##" is not a CSS selector/,
  );
});

it("leaves out hidden elements", async () => {
  await app.show(`<div hidden>A</div><div style="visibility:hidden">B<b style="visibility:visible">C</b></div>
    <details><summary>D</summary>E</details><template>F</template><div style="display:contents">G</div><div style="height:0;overflow:hidden">H</div>`);
  const text = (await inspect()).split("\n").slice(1).join("\n");
  expect(text.match(/"[A-H]"/g)).toEqual(['"C"', '"D"', '"G"']);
});

describe("large pages", () => {
  it("show 3 000 elements in a few kilobytes, those in view first", async () => {
    await app.show(listPage(1_000));
    await app.value("scrollTo(0, 9000); 0");
    const text = await inspect();
    expect(text).toMatch(/: \d+ elements, 300 shown \(truncated/);
    expect(text.length).toBeLessThan(16_000);
    const inView = await app.value(
      "[...document.querySelectorAll('li')].findIndex((li) => li.getBoundingClientRect().top > 0) + 1",
    );
    expect(text).toContain(`"Item ${inView}"`);
    expect(text).not.toContain('"Item 1"');
    await app.do("click", { text: "Item 777" });
    await app.do("click", { text: "Open", index: 999 });
    expect(await app.value("last")).toBe(1_000);
  });

  it("are shown whole on request, within a limit", async () => {
    await app.show(listPage(3_000));
    expect((await inspect({ maxElements: 2_000 })).length).toBeLessThan(61_000);
    await app.show(`<p>${"word ".repeat(100_000)}</p>`);
    expect((await inspect()).length).toBeLessThan(1_000);
  });

  it("are inspected and used row by row if only the rows in view exist", async () => {
    await app.show(virtualListPage);
    expect(await inspect()).toContain('"Row 1"');
    await app.do("click", { text: "Row 3", fuzzy: false });
    expect(await app.value("last")).toBe(3);
    await app.value("box.scrollTop = 100000; 0");
    await app.do("click", { text: "Row 5005" });
    expect(await app.value("last")).toBe(5005);
  });
});

it("includes frames of other sites, with places in the window", async () => {
  const inner = app.page(
    `<body style="margin:0"><button style="width:50px;height:20px">Inside</button>`,
    "localhost",
  );
  await app.show(
    `<body style="margin:0"><p>Outside</p><iframe src="${inner}" style="position:absolute;left:100px;top:60px;border:0"></iframe>`,
  );
  const text = await inspect();
  expect(text).toMatch(
    new RegExp(`"Outside".*\n.* iframe\nframe ${inner}\n\\S+ button "Inside" 100,60 50x20`, "s"),
  );
});
