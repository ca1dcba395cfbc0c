import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

const page = `<button onclick="setTimeout(() => { out.hidden = !out.hidden; }, 300)">Go</button>`;

it.each([
  ["a text", { text: "Saved" }, `<p id=out hidden>Saved</p>`],
  ["a selector", { selector: "#out" }, `<p id=out hidden>Saved</p>`],
  [
    "a spinner without text",
    { selector: "[role=progressbar]" },
    `<div id=out hidden role=progressbar aria-label=Busy style="height:9px"></div>`,
  ],
  ["a text in a frame", { text: "Saved" }, `<iframe id=out hidden srcdoc="<p>Saved</p>"></iframe>`],
])("waits until an element is shown, and until it is removed or hidden: %s", async (_, named, html) => {
  await app.show(html + page);
  await app.do("click", { text: "Go" });
  expect(await app.do("inspect_dom", { ...named, until: "shown" })).toMatch(/: [1-9]\d* elements?\.\n/);
  await app.do("click", { text: "Go" });
  expect(await app.do("inspect_dom", { ...named, until: "gone" })).toMatch(/: 0 elements\.$/);
});

it("waits over a navigation", async () => {
  const url = app.page("<p>Saved</p>");
  await app.show(`<p>Old</p><button onclick="setTimeout(() => location.assign('${url}'), 300)">Go</button>`);
  await app.do("click", { text: "Go" });
  expect(await app.do("inspect_dom", { text: "Saved", until: "shown" })).toContain(url);
});

it("reports what is still missing, and refuses a wait for nothing", async () => {
  await app.show("<p>Old</p>");
  expect(await app.fail("inspect_dom", { text: "Saved", until: "shown" })).toMatch(
    /^not_yet: "Saved" is not shown after 10 s\./,
  );
  expect(await app.fail("inspect_dom", { until: "gone" })).toMatch(
    /^invalid_input: .* Give text or selector\./,
  );
});
