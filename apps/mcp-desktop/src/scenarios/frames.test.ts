import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLogger } from "@grove/mcp";
import { timeoutSignal } from "@grove/signals";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it, onTestFinished } from "vitest";
import { keepAll } from "../access/redact";
import { Desktop } from "../desktop";
import { asApp, useApp } from "../testing/app";
import { Relay } from "../testing/relay";

/** 127.0.0.1 and localhost are two sites. */
const here = "127.0.0.1";
const there = "localhost";

describe.each([
  ["have processes of their own", asApp],
  ["share a process", ["--disable-site-isolation-trials"]],
])("frames of other sites that %s", (_, args) => {
  const app = useApp(args);

  /** Shows nested frames: one of this site, within it one of another, within that one of this site again. */
  async function showNested(innermost: string, rest = ""): Promise<void> {
    const inner = app.page(`<body style="margin:0">${innermost}`, here);
    const middle = app.page(
      `<p>Middle</p><iframe src="${inner}" style="width:300px;height:150px;border:4px solid"></iframe>${rest}`,
      there,
    );
    await app.show(
      `<script>window.heard = []; onmessage = ({ data }) => heard.push(data);</script><h1>Top</h1>
      <iframe src="${middle}" style="width:500px;height:300px;padding:6px"></iframe>`,
    );
    await expect.poll(() => app.do("inspect_dom")).toContain("Innermost");
  }
  const heard = () => app.value("heard");
  const tell = (what: string) => `top.postMessage(${what}, '*')`;

  it("are targets of the browser, or not", async () => {
    await showNested("<button>Innermost</button>");
    const list = (await (await fetch(`${app.browser.url}/json/list`)).json()) as { type: string }[];
    const frames = list.filter(({ type }) => type === "iframe");
    expect(frames.length).toBe(args === asApp ? 2 : 0);
  });

  it("are shown in document order, with their places in the window", async () => {
    await showNested(`<button style="width:90px;height:20px">Innermost</button>`);
    const text = await app.do("inspect_dom");
    expect(text).toMatch(/"Top".*\nframe http:\/\/localhost.*"Middle".*\nframe http:\/\/127.*"Innermost"/s);
    const [, x, y] = /button "Innermost" (\d+),(\d+) 90x20/.exec(text)?.map(Number) ?? [];
    const place = "[document.querySelector('iframe')].map((f) => f.getBoundingClientRect().y)[0]";
    expect(y).toBeGreaterThan((await app.value(place)) as number);
    await app.value("addEventListener('blur', () => heard.push('blur')); 0");
    await app.do("click", { x: Number(x) + 45, y: Number(y) + 10 });
    expect(await app.value("document.activeElement.localName")).toBe("iframe");
  });

  it("can be clicked in, by text, selector, test id, ref and point", async () => {
    await showNested(`<button data-testid=go onclick="${tell("event.isTrusted")}">Innermost</button>`);
    const text = await app.do("inspect_dom");
    const [, ref, x, y] = /(\S+) button "Innermost".* (\d+),(\d+)/.exec(text) ?? [];
    const ways = [
      { text: "Innermost" },
      { selector: "[data-testid]" },
      { testId: "go" },
      { ref },
      { x: Number(x) + 5, y: Number(y) + 5 },
    ];
    for (const way of ways) await app.do("click", way);
    await expect.poll(heard).toEqual(ways.map(() => true));
  });

  it("can be typed into by keys, and fields that take none are set", async () => {
    await showNested(
      `<label>Innermost <input id=f oninput="${tell("f.value")}" onkeydown="${tell("event.key")}"></label>
      <select id=s onchange="${tell("s.value")}"><option>One<option>Two</select>
      <input id=p type=file onchange="${tell("p.files[0].name")}">`,
    );
    await app.do("type_text", { selector: "#f", text: "ab" });
    await expect.poll(heard).toEqual(["a", "a", "b", "ab"]);
    await app.do("send_keys", { keys: ["Shift+C"] });
    await expect.poll(heard).toContain("abC");
    await app.do("type_text", { text: "!" });
    await expect.poll(heard).toContain("abC!");
    expect(await app.do("type_text", { selector: "#f", text: "new", clearFirst: true })).toMatch(/^Typed 3/);
    await expect.poll(async () => ((await heard()) as string[]).at(-1)).toBe("new");
    await app.do("type_text", { selector: "#s", text: "Two" });
    await expect.poll(heard).toContain("Two");
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "photo.txt"), "x");
    await app.do("type_text", { selector: "#p", text: join(directory, "photo.txt") });
    await expect.poll(heard).toContain("photo.txt");
  });

  it("are scrolled to, and in", async () => {
    await showNested(
      `<p>Innermost</p><div style="height:2000px"></div><button onclick="${tell("'below'")}">Below</button>`,
      `<div style="height:1500px"></div>`,
    );
    await app.value("document.querySelector('h1').style.height = '2000px'; 0");
    await app.do("click", { text: "Below" });
    await expect.poll(heard).toEqual(["below"]);
  });

  it("open dialogs, and write to the console", async () => {
    await showNested(
      `<button onclick="console.warn('from within'); ${tell("confirm('Sure?')")}">Innermost</button>`,
    );
    expect(await app.do("click", { text: "Innermost", dialog: "accept" })).toContain(
      'A confirm dialog saying "Sure?" opened and was accepted.',
    );
    await expect.poll(heard).toEqual([true]);
    await expect.poll(() => app.do("get_console_logs")).toContain("warning from within");
  });

  it("navigate, also to another process, and disappear", async () => {
    const next = app.page(`<button onclick="${tell("'next'")}">Next one</button>`, there);
    await showNested(`<a href="${next}">Innermost</a>`);
    await app.do("click", { text: "Innermost" });
    await app.do("click", { text: "Next one" });
    await expect.poll(heard).toEqual(["next"]);
    await app.value("document.querySelector('iframe').remove(); 0");
    expect(await app.do("inspect_dom")).not.toContain("Next one");
    expect(await app.fail("click", { text: "Next one", timeoutMs: 0 })).toMatch(/^not_found/);
  });

  it("are covered by what covers the frame around them", async () => {
    await showNested(`<button>Innermost</button>`);
    await app.value(
      `document.body.insertAdjacentHTML("beforeend", "<div style='position:fixed;inset:0'>Veil</div>"); 0`,
    );
    expect(await app.fail("click", { text: "Innermost", timeoutMs: 200 })).toMatch(
      /^covered: <button> "Innermost" \[\d*e1\] is covered by <div> "Veil"/,
    );
  });

  it("appear in pictures of their elements", async () => {
    await showNested(`<button style="width:90px;height:20px" id=b>Innermost</button>`);
    expect((await app.call("take_screenshot", { selector: "#b" })).text).toMatch(/^Screenshot 90x20 png/);
  });

  it("are out of reach of evaluate_js", async () => {
    await showNested(`<button>Innermost</button>`);
    expect(await app.fail("evaluate_js", { code: "frames[0].document.title" })).toMatch(
      /^exception: SecurityError/,
    );
    expect(await app.value("frames.length")).toBe(1);
  });
});

describe("a frame that hangs in a process of its own", () => {
  const app = useApp();

  it("does not block the rest of the page", async () => {
    const inner = app.page(`<button>Inside</button><script>onmessage = () => { for (;;); };</script>`, there);
    await app.show(
      `<button onclick="document.title = 'fine'">Outside</button><iframe src="${inner}"></iframe>`,
    );
    await app.do("click", { text: "Inside" });
    await app.value("frames[0].postMessage('hang', '*')");
    await expect.poll(() => app.do("inspect_dom")).not.toContain('"Inside"');
    expect(await app.do("inspect_dom")).toMatch(/elements, 1 frame does not answer\.\n.*button "Outside"/s);
    expect(await app.fail("click", { text: "Inside", timeoutMs: 0 })).toMatch(/^not_found/);
    await app.do("click", { text: "Outside" });
    expect(await app.value("document.title")).toBe("fine");
  });
});

describe("a frame that moves to a process of its own while the server connects", () => {
  const app = useApp();

  it("is not forgotten because of its previous process's reports", async () => {
    const inner = app.page("<button>Inside</button>", there);
    await app.show(`<iframe id=f srcdoc="before"></iframe>`);
    const relay = await Relay.start(app.browser.url, { held: ["Page.getFrameTree"] });
    onTestFinished(() => relay.stop());
    const log = createLogger("error");
    const late = new Desktop({ cdpUrl: relay.url, origins: [], redact: keepAll, log });
    onTestFinished(() => late.close());
    const signal = timeoutSignal(20_000);
    const page = await late.page(undefined, signal);
    await expect.poll(() => relay.kept).toBe(1);
    await app.value(`f.removeAttribute("srcdoc"); f.src = ${JSON.stringify(inner)}; 0`);
    await expect.poll(() => app.do("inspect_dom")).toContain("Inside");
    // The event of the frame's own process comes with it.
    await expect.poll(() => relay.kept).toBe(2);
    relay.release(1);
    await page.ready;
    await expect.poll(async () => (await page.frames.separate(signal)).length).toBe(2);
  });
});
