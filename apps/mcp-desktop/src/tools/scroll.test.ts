import { expect, it } from "vitest";
import { useApp } from "../testing/app";
import { virtualListPage } from "../testing/pages";

const app = useApp();

it("turns the wheel over the window, and reports how far it has scrolled", async () => {
  await app.show(`<body style="margin:0"><div style="height:5000px">Long`);
  const maxY = await app.value("document.documentElement.scrollHeight - innerHeight");
  expect(await app.do("scroll", { y: 600 })).toMatch(
    new RegExp(`^Scrolled <html>.* to 0,600 of \\d+,${maxY}\\.$`),
  );
  expect(await app.value("scrollY")).toBe(600);
  await app.do("scroll", { y: -200 });
  expect(await app.value("scrollY")).toBe(400);
  expect(await app.do("scroll", { y: 90_000 })).toContain(` to 0,${maxY} of `);
  expect(await app.do("scroll", { y: 10 })).toMatch(/^Turned the wheel at .*, and nothing scrolled: <html>/);
});

it("reaches elements that exist only once they are in view", async () => {
  await app.show(virtualListPage);
  const [, ref] = /(e\d+) button "Row 1"/.exec(await app.do("inspect_dom")) ?? [];
  expect(await app.do("scroll", { ref, y: 20_000 })).toMatch(/^Scrolled <div> .* to 0,20000 of 0,199700\.$/);
  await app.do("click", { text: "Row 1005" });
  expect(await app.value("last")).toBe(1005);
});

it("scrolls sideways, and within a frame of another site", async () => {
  const inner = app.page(
    `<div style="width:4000px;height:10px"></div><button onclick="top.postMessage(scrollX, '*')">Where</button>`,
    "localhost",
  );
  await app.show(
    `<script>onmessage = ({ data }) => { document.title = data; };</script><iframe src="${inner}">`,
  );
  await expect.poll(() => app.do("inspect_dom")).toContain("Where");
  const [, ref] = /(\d*e\d+) button "Where"/.exec(await app.do("inspect_dom")) ?? [];
  expect(await app.do("scroll", { ref, x: 150 })).toMatch(/^Scrolled <html>.* to 150,0 of/);
});

it("leaves the wheel to a page that handles it", async () => {
  await app.show(`<div style="height:100vh">Map</div><script>
    addEventListener("wheel", (event) => { event.preventDefault(); document.title = event.deltaY; }, { passive: false });
  </script>`);
  expect(await app.do("scroll", { y: 120 })).toMatch(/^Turned the wheel at \(\d+, \d+\), /);
  expect(await app.value("document.title")).toBe("120");
  expect(await app.fail("scroll")).toMatch(/^invalid_input: No distance is given/);
});

it("hovers with the pointer, and presses nothing", async () => {
  await app.show(`<style>ul ul { visibility: hidden } li:hover > ul { visibility: visible }</style><script>window.pressed = []; onclick = ({ target }) => pressed.push(target.id);</script>
    <ul><li id=file tabindex=0>File<ul><li id=as tabindex=0>Save as</li></ul></li></ul>`);
  expect(await app.do("click", { text: "File", button: "none" })).toMatch(/^Hovered <li> "File" \[e1\] at/);
  expect(await app.value("pressed")).toEqual([]);
  await app.do("click", { text: "Save as" });
  expect(await app.value("pressed")).toEqual(["as"]);
});
