import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

it("presses the element around text that lets the pointer through, and not a control that does", async () => {
  await app.show(`<div onclick="document.title = 'pressed'" style="width:200px;height:50px">
    <span style="pointer-events:none">Through</span></div><button style="pointer-events:none">Faded</button>`);
  await app.do("click", { text: "Through" });
  expect(await app.value("document.title")).toBe("pressed");
  expect(await app.fail("click", { text: "Faded", timeoutMs: 100 })).toMatch(
    /^disabled: <button> "Faded" \[e\d+\] was not enabled/,
  );
});

it("drops on an element whose text lets the pointer through", async () => {
  await app.show(`<div draggable=true id=card>Card A</div><div id=zone style="width:200px;height:80px">
    <span style="pointer-events:none">Dropzone</span></div><script>
    card.ondragstart = ({ dataTransfer }) => dataTransfer.setData("text/plain", "the card");
    zone.ondragover = (event) => event.preventDefault();
    zone.ondrop = ({ dataTransfer }) => { document.title = dataTransfer.getData("text/plain"); };
  </script>`);
  await app.do("drag", { from: "Card A", to: "Dropzone" });
  expect(await app.value("document.title")).toBe("the card");
});

it("presses the control whose floating label bears the text", async () => {
  await app.show(`<div style="position:relative;width:200px;height:40px">
    <label id=l style="position:absolute;top:10px;pointer-events:none">Country</label>
    <div role=combobox tabindex=0 aria-labelledby=l onclick="document.title = 'open'" style="position:absolute;inset:0"></div></div>`);
  expect(await app.do("click", { text: "Country" })).toMatch(/^Clicked <div> "Country" \[e\d+\] at [^;]*$/);
  expect(await app.value("document.title")).toBe("open");
});

it.each([
  ["names only a part of the control", `<p id=l>Country</p><p id=m>of birth</p>`],
  ["is a control as well", `<button id=l>Country</button><p id=m></p>`],
])("presses the label itself if it %s", async (_, labels) => {
  await app.show(`${labels}<div role=combobox tabindex=0 aria-labelledby="l m" style="width:200px;height:40px"></div>
    <script>l.addEventListener("click", () => { document.title = "label"; });</script>`);
  await app.do("click", { text: "Country" });
  expect(await app.value("document.title")).toBe("label");
});

it("names the select of an option that a selector found", async () => {
  await app.show(`<select aria-label=Country><option>France<option>Germany</select>`);
  expect(await app.fail("click", { selector: "option:nth-child(2)", timeoutMs: 100 })).toMatch(
    /^not_found: selector "option:nth-child\(2\)" is only an option of <select> "Country" \[e\d+\]\. Choose it with type_text/,
  );
  await app.show(`<select size=3 onchange="document.title = value"><option>France<option>Germany</select>`);
  await app.do("click", { selector: "option:nth-child(2)" });
  expect(await app.value("document.title")).toBe("Germany");
});

it("refuses a ref of a document that its frame no longer shows", async () => {
  await app.show(`<iframe id=f srcdoc="<button>Old</button>"></iframe>`);
  await expect.poll(() => app.do("inspect_dom")).toContain("Old");
  const [, ref] = /(e\d+) button "Old"/.exec(await app.do("inspect_dom")) ?? [];
  await app.value("f.srcdoc = '<button>New</button>'; new Promise((done) => { f.onload = () => done(0); })");
  expect(await app.fail("click", { ref })).toMatch(/^stale_ref: .*The page has changed/);
});
