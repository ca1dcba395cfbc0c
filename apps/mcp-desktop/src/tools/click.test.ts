import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

/** Buttons that record how they were clicked. */
const record = `<script>
  window.clicks = [];
  addEventListener("click", (event) => {
    const target = event.composedPath()[0];
    if (target.nodeType === 1) clicks.push(target.id || target.textContent.trim());
  }, true);
</script>`;
const clicks = () => app.value("clicks");

describe("where to click", () => {
  // Contract: desktop.click.coordinates
  it("clicks a point, and names it", async () => {
    await app.show(
      `${record}<button id=b style="position:fixed;left:100px;top:50px;width:80px;height:20px">Go</button>`,
    );
    expect(await app.do("click", { x: 110, y: 60, text: "elsewhere" })).toMatch(
      /^Clicked at \(110, 60\), on <button> "Go" \[e1\]\.$/,
    );
    expect(await clicks()).toEqual(["b"]);
    expect(await app.fail("click", { x: 5000, y: 10 })).toMatch(
      /^outside: \(5000, 10\) is outside the window\. It is \d+ x \d+/,
    );
  });

  // Contract: desktop.click.element
  it("names the tag of what it clicked", async () => {
    await app.show(`${record}<button>Save</button>`);
    expect(await app.do("click", { text: "Save" })).toMatch(
      /^Clicked <button> "Save" \[e1\] at \(\d+, \d+\)\.$/,
    );
    expect(await clicks()).toEqual(["Save"]);
  });

  // Contract: desktop.click.locators
  it("accepts a selector, a test id, a ref; together they must match the same element", async () => {
    await app.show(
      `${record}<button class=x data-testid=one>A</button><button class=x data-testid=two>B</button>`,
    );
    await app.do("click", { selector: ".x" });
    await app.do("click", { testId: "two" });
    const [, ref] = /(e\d+) button "B"/.exec(await app.do("inspect_dom")) ?? [];
    await app.do("click", { ref });
    await app.do("click", { selector: ".x", text: "B" });
    expect(await clicks()).toEqual(["A", "B", "B", "B"]);
    expect(await app.fail("click", { testId: "one", text: "B", timeoutMs: 100 })).toMatch(
      /^not_found: No visible element with testId "one" and text "B" appeared within 0.1 s\./,
    );
  });

  it("requires a locator or both coordinates", async () => {
    expect(await app.fail("click")).toMatch(/^invalid_input: No element or point is given/);
    expect(await app.fail("click", { x: 1 })).toMatch(/^invalid_input: Give both x and y/);
    expect(await app.fail("click", { y: 1, text: "" })).toMatch(/^invalid_input: Give both x and y/);
    expect(await app.fail("click", { text: "A", index: -1 })).toMatch(/^invalid_input: index/);
  });

  it("ignores a single coordinate beside a locator, and empty locators", async () => {
    await app.show(`${record}<button id=a>A</button>`);
    await app.do("click", { selector: "#a", x: 500 });
    await app.do("click", { text: "A", y: 1, selector: "", testId: "", ref: "", windowId: "" });
    expect(await clicks()).toEqual(["a", "a"]);
    expect(await app.fail("click", { selector: "", text: "" })).toMatch(
      /^invalid_input: No element or point/,
    );
  });

  // Contract: desktop.click.index
  it("counts the matches, and clicks the one with the index", async () => {
    await app.show(
      `${record}<button id=a>Edit</button><button id=b>Edit</button><button id=c>Edit all</button>`,
    );
    expect(await app.do("click", { text: "Edit" })).toContain('(match 0 of 3; others: <button> "Edit"');
    await app.do("click", { text: "Edit", index: 1 });
    await app.do("click", { text: "Edit", index: 2 });
    expect(await clicks()).toEqual(["a", "b", "c"]);
    expect(await app.fail("click", { text: "Edit", index: 3, timeoutMs: 0 })).toMatch(
      /^no_such_index: Only 3 visible elements match text "Edit", so there is no index 3\. Use an index from 0 to 2/,
    );
  });

  it("names the nearest elements if there is no match", async () => {
    await app.show(`<button>Save changes</button><button>Delete</button>`);
    expect(await app.fail("click", { text: "Save the file", timeoutMs: 0 })).toContain(
      'The nearest are: <button> "Save changes"',
    );
    expect(await app.fail("click", { selector: "button:::", timeoutMs: 0 })).toBe(
      'invalid_selector: "button:::" is not a CSS selector. Correct the selector.',
    );
    expect(await app.fail("click", { ref: "e99" })).toMatch(
      /^not_a_ref: "e99" is not an element of the current page/,
    );
  });
});

describe("text", () => {
  const words = `${record}
    <button id=exact>Save</button><button id=case>SAVE</button><button id=more>Save as…</button>
    <div id=hidden style="display:none">Secret</div><script>/* Scripted */</script>
    <button id=icon aria-label="Close panel">×</button><input id=field placeholder="Your name">
    <label for=box id=label>Accept the terms</label><input id=box type=checkbox>
    <p id=p>Read <b>the</b> manual</p><div id=card><span id=inner>Inner words</span></div>`;

  it.each([
    ["Save", "exact"],
    ["save", "exact"],
    ["save as", "more"],
    ["close PANEL", "icon"],
    ["×", "icon"],
    ["Your name", "field"],
    ["terms", "box"],
    ["Read the manual", "p"],
    ["Inner words", "inner"],
    ["panel close", "icon"],
    ["clos panel", "icon"],
  ])("%s means #%s", async (text, id) => {
    await app.show(words);
    await app.do("click", { text });
    expect((await clicks()) as string[]).toContain(id);
  });

  // Contract: desktop.click.fuzzy
  it("is matched exactly if fuzzy is off", async () => {
    await app.show(words);
    await app.do("click", { text: "SAVE", fuzzy: false });
    expect(await clicks()).toEqual(["case"]);
    expect(await app.fail("click", { text: "save", fuzzy: false, timeoutMs: 0 })).toMatch(/^not_found/);
  });

  it.each(["Secret", "Scripted"])("is not found if it is hidden or in a script: %s", async (text) => {
    await app.show(words);
    expect(await app.fail("click", { text, timeoutMs: 0 })).toMatch(/^not_found/);
  });

  it.each([
    ["保存する", "日本"],
    ["Сохранить", "Russian"],
    ["احفظ الملف", "Arabic"],
    ["שמור", "Hebrew"],
    ["Größe ändern", "German"],
    ["groesse", "umlauts are not spelled out"],
    ["🚀 Launch", "emoji"],
  ])("may be in any script: %s", async (text) => {
    await app.show(`${record}<button>保存する</button><button>Сохранить</button><div dir=rtl><button>احفظ الملف</button>
      <button>\u200fשמור\u200f</button></div><button>Größe ändern</button><button>Groesse</button><button>🚀 Launch</button>`);
    await app.do("click", { text });
    const [clicked] = (await clicks()) as [string];
    expect(clicked.replaceAll("\u200f", "").toLowerCase()).toBe(text.toLowerCase());
  });

  it("counts a control and its label once, and two of the same label twice", async () => {
    await app.show(`${record}<label>Name <input id=a></label><label>Name <input id=b></label>`);
    expect(await app.do("click", { text: "Name", index: 1 })).toContain("match 1 of 2");
    expect(await clicks()).toContain("b");
  });
});

describe("elements that are hard to hit", () => {
  it("scrolls to them, in scrolling containers too", async () => {
    await app.show(`${record}<div style="height:3000px"></div>
      <div style="height:100px;overflow:auto"><div style="height:900px"></div><button>Below</button></div>`);
    await app.do("click", { text: "Below" });
    expect(await clicks()).toEqual(["Below"]);
  });

  it("finds them in open shadow roots and slots", async () => {
    await app.show(`${record}<x-panel><button id=light>Slotted</button></x-panel><script>
      customElements.define("x-panel", class extends HTMLElement {
        connectedCallback() {
          this.attachShadow({ mode: "open" }).innerHTML = "<slot></slot><x-inner></x-inner>";
        }
      });
      customElements.define("x-inner", class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<button id=deep>Deep</button>"; }
      });
    </script>`);
    await app.do("click", { text: "Deep" });
    await app.do("click", { selector: "#deep" });
    await app.do("click", { text: "Slotted" });
    expect(await clicks()).toEqual(["deep", "deep", "light"]);
  });

  it.each(["127.0.0.1", "localhost"] as const)(
    "finds them in frames of %s, nested and scrolled away",
    async (host) => {
      const inner = app.page(`<button onclick="top.postMessage('inner', '*')">Innermost</button>`, host);
      const outer = app.page(
        `<p>Outer</p><iframe src="${inner}" style="border:7px solid;padding:3px"></iframe>`,
        host,
      );
      await app.show(`<script>window.heard = []; onmessage = (event) => heard.push(event.data);</script>
      <div style="height:2000px"></div><iframe src="${outer}" style="margin:50px;height:400px"></iframe>`);
      await app.do("click", { text: "Innermost" });
      await expect.poll(() => app.value("heard")).toEqual(["inner"]);
      const [, ref] = /(\d*e\d+) button "Innermost"/.exec(await app.do("inspect_dom")) ?? [];
      await app.do("click", { ref });
      await expect.poll(() => app.value("heard")).toEqual(["inner", "inner"]);
    },
  );

  it("hits SVG shapes", async () => {
    await app.show(`${record}<svg width=200 height=200><circle id=ring cx=100 cy=100 r=80 fill=none stroke=red stroke-width=50 pointer-events=stroke>
      </circle></svg><button id=b aria-label=Chart><svg width=30 height=30><path d="M0 0L30 30" stroke="red"/></svg></button>`);
    await app.do("click", { selector: "#ring" });
    await app.do("click", { text: "Chart" });
    expect(((await clicks()) as string[])[0]).toBe("ring");
    expect(await app.value("clicks.length")).toBe(2);
  });

  it("ticks a checkbox that only its label shows", async () => {
    await app.show(
      `<input type=checkbox id=box style="position:absolute;opacity:0;width:0;height:0"><label for=box style="padding:9px">Dark mode</label>`,
    );
    await app.do("click", { selector: "#box" });
    expect(await app.value("box.checked")).toBe(true);
  });

  it("waits for an element that appears, is enabled or is uncovered late", async () => {
    await app.show(`${record}<button id=late disabled>Ready</button><div id=cover style="position:fixed;inset:0"></div><script>
      let step = 0;
      const next = () => {
        if (++step === 10) late.disabled = false;
        if (step === 20) cover.remove();
        if (step === 30) document.body.insertAdjacentHTML("beforeend", "<button id=new>Appeared</button>");
        if (step < 30) requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    </script>`);
    await app.do("click", { text: "Ready" });
    await app.do("click", { text: "Appeared" });
    expect(await clicks()).toEqual(["late", "new"]);
  });

  it("waits for an element that CSS or a script moves", async () => {
    await app.show(`${record}<style>@keyframes in { from { transform: translateX(400px) } } #slides { animation: in .3s }</style>
      <button id=slides>Slides</button><button id=runs style="position:absolute;top:200px;left:0">Runs</button><script>
      let at = 0;
      const run = () => { runs.style.left = (at += 20) + "px"; if (at < 500) requestAnimationFrame(run); };
      requestAnimationFrame(run);
    </script>`);
    await app.do("click", { text: "Runs" });
    await app.do("click", { text: "Slides" });
    expect(await clicks()).toEqual(["runs", "slides"]);
  });

  it("does not wait for an element that pulses in its place forever", async () => {
    await app.show(
      `${record}<style>@keyframes pulse { 50% { opacity: .5 } } button { animation: pulse 1s infinite }</style><button id=b>Pulse</button>`,
    );
    await app.do("click", { text: "Pulse" });
    expect(await clicks()).toEqual(["b"]);
  });

  it.each([
    [
      "disabled",
      `<button disabled>Go</button>`,
      /^disabled: <button> "Go" \[e1\] was not enabled within 0.2 s/,
    ],
    ["disabled by ARIA", `<div aria-disabled=true><div role=button>Go</div></div>`, /^disabled: <div> "Go"/],
    [
      "hidden",
      `<button style="visibility:hidden" data-testid=go>Go</button>`,
      /^hidden: <button> .*was not visible within/,
    ],
    [
      "covered",
      `<button>Go</button><div id=veil style="position:fixed;inset:0">Please wait</div>`,
      /^covered: <button> "Go" \[e1\] is covered by <div> "Please wait" \[e2\]/,
    ],
    [
      "never at rest",
      `<style>@keyframes away { to { transform: translateX(3000px) } } button { animation: away 9s infinite linear }</style><button>Go</button>`,
      /^moving: <button> "Go" \[e1\] did not stop moving/,
    ],
  ])("reports why it cannot be clicked: %s", async (what, html, reason) => {
    await app.show(html);
    const args = what === "hidden" ? { testId: "go" } : { text: "Go" };
    expect(await app.fail("click", { ...args, timeoutMs: 200 })).toMatch(reason);
  });
});

describe("how to click", () => {
  it("presses twice, with another button, with keys held", async () => {
    await app.show(`<button id=b>B</button><script>
      window.seen = [];
      for (const type of ["dblclick", "contextmenu", "auxclick", "click"])
        addEventListener(type, (event) => seen.push([type, event.detail, event.shiftKey, event.ctrlKey || event.metaKey]));
    </script>`);
    await app.do("click", { text: "B", count: 2 });
    expect(await app.value("seen")).toEqual([
      ["click", 1, false, false],
      ["click", 2, false, false],
      ["dblclick", 2, false, false],
    ]);
    await app.value("seen.length = 0");
    await app.do("click", { text: "B", button: "right" });
    expect(await app.value("seen[0][0]")).toBe("contextmenu");
    await app.value("seen.length = 0");
    await app.do("click", { text: "B", modifiers: ["Shift", "ControlOrMeta"] });
    expect(await app.value("seen")).toEqual([["click", 1, true, true]]);
  });

  it("keeps menus open that close without the focus", async () => {
    await app.show(`<button onclick="menu.hidden = false">Menu</button><div id=menu hidden><button>Item</button></div>
      <script>onblur = () => { menu.hidden = true; };</script>`);
    await app.do("click", { text: "Menu" });
    expect(await app.value("[document.hasFocus(), menu.hidden]")).toEqual([true, false]);
    await app.do("click", { text: "Item" });
  });
});

describe("what follows", () => {
  it("reports a navigation, and works on the new page", async () => {
    const next = app.page("<button>There</button><title>Second</title>");
    await app.show(`<a href="${next}">Next</a>`);
    expect(await app.do("click", { text: "Next" })).toContain(`The page is now "Second" at ${next}.`);
    await app.do("click", { text: "There" });
  });

  it("reports a changed route", async () => {
    const url = await app.show(`<a href="#/inbox">Inbox</a>`);
    expect(await app.do("click", { text: "Inbox" })).toContain(`The page is now "Test" at ${url}#/inbox.`);
  });

  it("reports a window that opened, and one that closed", async () => {
    const url = app.page(`<button onclick="window.close()">Close me</button>`);
    await app.show(`<button onclick="window.open('${url}')">Open</button>`);
    const [, windowId] = /A new window (w\d+) opened/.exec(await app.do("click", { text: "Open" })) ?? [];
    expect(await app.do("click", { text: "Close me", windowId })).toContain("The window closed.");
    expect(await app.fail("click", { text: "Close me", windowId })).toMatch(
      /^unknown_window: There is no window "w\d+"\. Open now: w\d+ at http/,
    );
  });
});
