import { expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";
import { Relay } from "../testing/relay";

const app = useApp();

it("clicks by text what is rendered again with every frame, and refuses its old ref", async () => {
  await app.show(`<ul id=list></ul><script>
    window.hits = 0;
    const draw = () => { list.innerHTML = "<li><button onclick='hits++'>Item</button></li>"; };
    const drawAgain = () => { draw(); setTimeout(drawAgain, 50); };
    drawAgain();
  </script>`);
  const [, ref] = /(e\d+) button "Item"/.exec(await app.do("inspect_dom")) ?? [];
  await app.value("draw(); 0");
  expect(await app.fail("click", { ref })).toMatch(/^stale_ref: .*use text or a selector/);
  await app.do("click", { text: "Item" });
  expect(await app.value("hits")).toBe(1);
});

/**
 * Shows a page that may draw its button again when it is pressed, behind a relay that holds the releases.
 * @param how what the page does when the button is pressed
 */
async function replaceAtPress(how: string): Promise<Relay> {
  await app.show(`<ul id=list></ul><script>
    window.hits = 0;
    window.drawn = 0;
    const draw = () => { drawn++; list.innerHTML = "<li><button onclick='hits++'>Item</button></li>"; };
    draw();
    list.addEventListener("mousedown", () => { ${how} });
  </script>`);
  const relay = await Relay.start(app.browser.url, { heldRequest: '"mouseReleased"' });
  onTestFinished(() => relay.stop());
  await app.disconnect();
  await app.connect({ cdpUrl: relay.url });
  return relay;
}

/** Releases the button after the page has drawn `count` times. */
async function releaseAfter(relay: Relay, count: number): Promise<void> {
  await expect.poll(() => relay.kept).toBe(1);
  await expect.poll(() => app.value("drawn")).toBe(count);
  relay.release(1);
}

it("presses again if an element was replaced between press and release", async () => {
  const relay = await replaceAtPress("if (drawn === 1) setTimeout(draw)");
  const clicked = app.do("click", { text: "Item" });
  await releaseAfter(relay, 2);
  await releaseAfter(relay, 2);
  expect(await clicked).toMatch(/^Clicked <button> "Item"/);
  expect(await app.value("[hits, drawn]")).toEqual([1, 2]);
});

it("fails if an element is replaced at each press, and does not repeat what the press itself did", async () => {
  const relay = await replaceAtPress("setTimeout(draw)");
  const failed = app.fail("click", { text: "Item" });
  for (let drawn = 2; drawn <= 6; drawn++) await releaseAfter(relay, drawn);
  expect(await failed).toMatch(/^moving: <button> "Item" .* was replaced by another element each time/);
  const again = await replaceAtPress("draw()");
  const clicked = app.do("click", { text: "Item" });
  await releaseAfter(again, 2);
  await clicked;
  expect(await app.value("[hits, drawn]")).toEqual([0, 2]);
});

it("types into a field that is replaced at each key", async () => {
  await app.show(`<div id=wrap></div><script>
    window.held = "";
    const draw = () => {
      const field = document.createElement("input");
      field.value = held;
      field.oninput = () => { held = field.value; draw(); };
      wrap.replaceChildren(field);
      field.focus();
      field.setSelectionRange(held.length, held.length);
    };
    draw();
  </script>`);
  await app.do("type_text", { selector: "input", text: "hello world" });
  expect(await app.value("held")).toBe("hello world");
});

it("waits for the end of a view transition, which covers the page", async () => {
  await app.show(`<style>::view-transition-group(*) { animation-duration: 1s }</style>
    <button onclick="document.startViewTransition(() => { document.title = 'changed'; })">Start</button>
    <button onclick="document.title = 'after'">After</button>`);
  await app.do("click", { text: "Start" });
  await app.do("click", { text: "After" });
  expect(await app.value("document.title")).toBe("after");
});

it("types nothing elsewhere if a dialog keeps the focus", async () => {
  await app.show(`<input id=out><div id=dialog style="position:absolute;top:100px"><input id=within></div><script>
    addEventListener("focusin", ({ target }) => { if (!dialog.contains(target)) within.focus(); });
  </script>`);
  expect(await app.fail("type_text", { selector: "#out", text: "abc" })).toMatch(/^no_focus: /);
  expect(await app.value("[out.value, within.value]")).toEqual(["", ""]);
});

it("clicks a suggestion that comes later", async () => {
  await app.show(`<input oninput="setTimeout(() => { found.innerHTML = '<li>Berlin</li>'; }, 600)">
    <ul id=found onclick="document.title = event.target.textContent"></ul>`);
  await app.do("type_text", { selector: "input", text: "Ber" });
  await app.do("click", { text: "Berlin" });
  expect(await app.value("document.title")).toBe("Berlin");
});

it("continues in a document that was replaced by writing or by a refresh", async () => {
  const next = app.page(`<button onclick="document.title = 'there'">There</button>`);
  await app.show(
    `<button onclick="document.open(); document.write('<button>Written</button>'); document.close()">Write</button>`,
  );
  await app.do("click", { text: "Write" });
  await app.do("click", { text: "Written" });
  await app.show(`<meta http-equiv=refresh content="0;url=${next}">`);
  await app.do("click", { text: "There" });
  expect(await app.value("document.title")).toBe("there");
});

it("uses sandboxed frames, even without scripts, and one in a box without height", async () => {
  await app.show(`<iframe sandbox srcdoc="<label>Still <input type=checkbox></label>"></iframe>
    <iframe sandbox=allow-scripts srcdoc="<button onclick='this.textContent = 1 + 1'>Scripted</button>"></iframe>
    <div style="height:0"><iframe srcdoc="<button onclick='parent.document.title = 7'>Flat</button>"></iframe></div>`);
  for (const text of ["Still", "Scripted", "Flat"]) await app.do("click", { text });
  const seen = await app.do("inspect_dom");
  expect(seen).toMatch(/"Still" \(checked/);
  expect(seen).toContain('button "2"');
  expect(await app.value("document.title")).toBe("7");
});

it("types into fields of unusual roles, and chooses an option without a value", async () => {
  await app.show(`<div role=button><span id=region contenteditable style="display:inline-block;width:50px">x</span></div>
    <textarea id=combo role=combobox></textarea><select id=s><option value="">None<option selected>One</select>
    <div role=button onclick="document.title = 'outer'">Outer <b role=button onclick="document.title = 'inner'; event.stopPropagation()">Inner</b></div>`);
  await app.do("type_text", { selector: "#region", text: "yz" });
  await app.do("type_text", { selector: "#combo", text: "abc" });
  await app.do("type_text", { selector: "#s", text: "None" });
  await app.do("click", { text: "Inner" });
  expect(await app.value("[region.textContent, combo.value, s.value, document.title]")).toEqual([
    "xyz",
    "abc",
    "",
    "inner",
  ]);
});
