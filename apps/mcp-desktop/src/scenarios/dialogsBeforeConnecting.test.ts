import { createLogger } from "@grove/mcp";
import { timeoutSignal } from "@grove/signals";
import { describe, expect, it, onTestFinished } from "vitest";
import { keepAll } from "../access/redact";
import { Desktop } from "../desktop";
import { useApp } from "../testing/app";
import { connectProgram } from "../testing/program";

const app = useApp();

/** Another client of the app, which sees its dialogs and leaves them open. */
async function watcher() {
  const log = createLogger("error");
  const desktop = new Desktop({ cdpUrl: app.browser.url, origins: [], redact: keepAll, log });
  const signal = timeoutSignal(20_000);
  const page = await desktop.page(undefined, signal);
  await page.ready;
  const link = await desktop.link(signal);
  onTestFinished(() => link.connection.close());
  return { page, signal, close: () => link.connection.close() };
}

/** Opens a dialog before the server is connected. */
async function openBefore(code: string): Promise<void> {
  const { page, signal, close } = await watcher();
  const expression = `setTimeout(() => { window.answer = ${code}; }); 0`;
  await page.session.send("Runtime.evaluate", { expression }, signal);
  await expect.poll(() => page.dialogs.open !== undefined).toBe(true);
  close();
}

describe("a dialog that was open before the server connected", () => {
  it.each(["alert('Hello')", "confirm('Sure?')", "prompt('Name?')"])(
    "is closed by a reload: %s",
    async (code) => {
      await app.show("<title>Stuck</title><button>Go</button>");
      await app.disconnect();
      await openBefore(code);
      expect(await app.do("navigate", { action: "reload" })).toMatch(/^Now "Stuck"/);
      expect(await app.do("inspect_dom")).toContain('button "Go"');
    },
  );

  it("is closed by a navigation to another page", async () => {
    await app.show("<title>Stuck</title>");
    const url = app.page("<title>Next</title>");
    await app.disconnect();
    await openBefore("confirm('Sure?')");
    expect(await app.do("navigate", { url })).toMatch(/^Now "Next"/);
    expect(await app.value("document.title")).toBe("Next");
  });

  it("that the page opens again while it loads is answered", async () => {
    const { page, signal, close } = await watcher();
    const url = app.page(`<title>Loud</title><script>alert("Welcome")</script><button>Go</button>`);
    page.session.send("Page.navigate", { url }, signal).catch(() => undefined);
    await expect.poll(() => page.dialogs.open !== undefined).toBe(true);
    close();
    expect(await app.do("navigate", { action: "reload" })).toContain(
      'An alert dialog saying "Welcome" opened',
    );
    expect(await app.do("inspect_dom")).toContain('button "Go"');
  });
});

it("a dialog that is open when the server ends is dismissed", async () => {
  await app.show("<title>Left</title><button>Go</button>");
  await app.disconnect();
  const client = await connectProgram({ CDP_URL: app.browser.url });
  await client.callTool({ name: "inspect_dom", arguments: {} });
  await openBefore("confirm('Sure?')");
  await client.close();
  expect(await app.value("answer")).toBe(false);
});

describe("a dialog that an action opens a moment later", () => {
  const ways = {
    "a timer without delay": "setTimeout(ask, 0)",
    "a short timer": "setTimeout(ask, 50)",
    "a promise": "Promise.resolve().then(ask)",
    "a frame": "requestAnimationFrame(() => requestAnimationFrame(ask))",
    "a request": "fetch('/').then(ask)",
    "a message": "onmessage = ask; postMessage(0, '*')",
  };
  it.each(Object.entries(ways))("is answered and reported by the call: %s", async (_, way) => {
    await app.show(
      `<button onclick="${way}">Save</button><script>window.asked = []; const ask = () => asked.push(confirm("Save?"));</script>`,
    );
    for (let time = 1; time <= 3; time++) {
      expect(await app.do("click", { text: "Save", dialog: "accept" })).toContain(
        'A confirm dialog saying "Save?" opened and was accepted.',
      );
      expect(await app.value("asked")).toEqual(Array(time).fill(true));
    }
  });

  it("by a key is answered and reported by the call", async () => {
    await app.show(
      `<input id=f onkeydown="setTimeout(() => { document.title = prompt('Name?'); }, 30)"><script>f.focus()</script>`,
    );
    expect(await app.do("send_keys", { keys: ["a"], dialog: "accept", promptText: "Ada" })).toContain(
      'A prompt dialog saying "Name?" opened and was accepted.',
    );
    expect(await app.value("document.title")).toBe("Ada");
  });

  it("is dismissed and reported by the next call, if the call states no answer", async () => {
    await app.show(
      `<button onclick="setTimeout(() => { document.title = confirm('Save?'); }, 60)">Save</button>`,
    );
    let results = await app.do("click", { text: "Save" });
    await expect
      .poll(async () => {
        results += await app.do("get_window_info");
        return results;
      })
      .toContain('A confirm dialog saying "Save?" opened and was dismissed.');
    expect(await app.value("document.title")).toBe("false");
  });
});

describe("a dialog of another window", () => {
  it.each(["alert", "confirm", "prompt"])("is named by the calls that wait for it: %s", async (type) => {
    await app.show(
      `<title>Opener</title><button onclick="window.popup = window.open('about:blank')">Open</button>
      <button onclick="document.title = 'clicked'">Go</button>`,
    );
    await app.do("click", { text: "Open" });
    const list = await app.do("get_window_info");
    const [, opener] = /(w\d+) page "Opener"/.exec(list) ?? [];
    const [, windowId = ""] = /(w\d+) page "[^O]*" about:blank/.exec(list) ?? [];
    await app.value(`setTimeout(() => { ${type}("Hello") }, 400); 0`, { windowId });
    await expect.poll(() => app.do("get_window_info")).toContain(`${type} dialog open: "Hello"`);
    const expected = new RegExp(
      `^dialog_open: An? ${type} dialog saying "Hello" is open in window ${windowId}, and this page waits for it\\. Answer it: inspect_dom\\(\\{"windowId":"${windowId}","dialog":"accept"\\}\\)`,
    );
    expect(await app.fail("click", { text: "Go", windowId: opener })).toMatch(expected);
    expect(await app.fail("inspect_dom", { windowId: opener })).toMatch(expected);
    expect(await app.fail("navigate", { action: "reload", windowId: opener })).toMatch(expected);
    await app.do("inspect_dom", { windowId, dialog: "accept" });
    await app.do("click", { text: "Go", windowId: opener });
    expect(await app.value("document.title", { windowId: opener })).toBe("clicked");
  });
});
