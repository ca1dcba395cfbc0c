import { freePort } from "@grove/testing/freePort";
import { describe, expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

describe("dialogs", () => {
  const page = `<button onclick="alert('Hello')">Alert</button>
    <button onclick="document.title = confirm('Sure?')">Confirm</button>
    <button onclick="document.title = prompt('Name?', 'none')">Prompt</button>`;

  it("are answered immediately and reported: an alert is closed, any other dismissed", async () => {
    await app.show(page);
    expect(await app.do("click", { text: "Alert" })).toContain(
      'An alert dialog saying "Hello" opened and was closed.',
    );
    expect(await app.do("click", { text: "Confirm" })).toContain(
      'A confirm dialog saying "Sure?" opened and was dismissed. To accept it, repeat the call with dialog: "accept".',
    );
    expect(await app.value("document.title")).toBe("false");
    await app.do("click", { text: "Prompt" });
    expect(await app.value("document.title")).toBe("null");
  });

  it("are answered as the call requests", async () => {
    await app.show(page);
    expect(await app.do("click", { text: "Confirm", dialog: "accept" })).toContain("was accepted.");
    expect(await app.value("document.title")).toBe("true");
    await app.do("click", { text: "Prompt", dialog: "accept", promptText: "Ada" });
    expect(await app.value("document.title")).toBe("Ada");
    expect(await app.do("evaluate_js", { code: "[confirm('a'), confirm('b')]", dialog: "accept" })).toMatch(
      /^\[true,true\]\nA confirm dialog saying "a" opened and was accepted\.\nA confirm dialog saying "b"/,
    );
  });

  it("wait for an answer if they open between calls, and hang no call", async () => {
    await app.show("<button>Go</button>");
    await app.value("setTimeout(() => { document.title = confirm('Late?'); }, 2_000); 0");
    // A call that acts on the page would answer a dialog that opens during it.
    await expect.poll(() => app.do("get_window_info")).toContain('confirm dialog open: "Late?"');
    expect(await app.fail("inspect_dom")).toBe(
      'dialog_open: A confirm dialog saying "Late?" is open, and the page waits for it. Answer it: inspect_dom({"dialog":"accept"}) or "dismiss".',
    );
    expect(await app.fail("take_screenshot")).toMatch(/^dialog_open/);
    expect(await app.do("inspect_dom", { dialog: "accept" })).toContain('button "Go"');
    expect(await app.value("document.title")).toBe("true");
  });

  it("are answered as the refusal of a call advises", async () => {
    await app.show("<button>Go</button>");
    await app.value("setTimeout(() => { document.title = prompt('Name?'); }, 2_000); 0");
    await expect.poll(() => app.do("get_window_info")).toContain('prompt dialog open: "Name?"');
    expect(await app.fail("take_screenshot")).toBe(
      'dialog_open: A prompt dialog saying "Name?" is open, and the page waits for it. Answer it: inspect_dom({"dialog":"accept"}) or "dismiss", with its answer as promptText.',
    );
    expect(await app.do("inspect_dom", { dialog: "accept", promptText: "Ada" })).toContain('button "Go"');
    expect(await app.value("document.title")).toBe("Ada");
    await app.value("setTimeout(() => alert('Done'), 2_000); 0");
    await expect.poll(() => app.do("get_window_info")).toContain("alert dialog open");
    expect(await app.fail("take_screenshot")).toMatch(/^dialog_open: An alert dialog saying "Done" is open/);
    await app.do("inspect_dom", { dialog: "dismiss" });
  });

  it("are answered for one call, whatever happens to another", async () => {
    await app.show("<button>Go</button>");
    const asking = app.do("evaluate_js", {
      code: "window.asks = true; while (!(await fetch('/go')).ok); confirm('Sure?')",
      dialog: "accept",
    });
    await expect.poll(() => app.value("window.asks")).toBe(true);
    expect(await app.fail("inspect_dom", { selector: "[" })).toMatch(/^invalid_selector/);
    app.file("/go", "go", "text/plain");
    expect(await asking).toMatch(/^true\nA confirm dialog saying "Sure\?" opened and was accepted\.$/);
  });

  it("keep the page if they ask before it is left, unless accepted", async () => {
    const next = app.page("<title>Next</title>");
    const url = await app.show(
      `<input id=f><script>onbeforeunload = (event) => event.preventDefault();</script>`,
    );
    await app.do("type_text", { selector: "#f", text: "draft" });
    const stayed = await app.fail("navigate", { url: next });
    expect(stayed).toMatch(/^navigation_stopped: The page did not navigate to/);
    expect(stayed).toContain("A beforeunload dialog opened and was dismissed.");
    expect(await app.value("location.href")).toBe(url);
    expect(await app.do("navigate", { url: next, dialog: "accept" })).toContain('"Next"');
  });
});

describe("a page that", () => {
  it("crashes is reported, and revived", async () => {
    const url = await app.show("<title>Fine</title>");
    const page = await app.desktop?.page(undefined, AbortSignal.timeout(5_000));
    const hangs = app.call("evaluate_js", { code: "await new Promise(() => {})", timeoutMs: 20_000 });
    // The command is never answered, since the page crashes.
    page?.session.send("Page.crash", undefined, AbortSignal.timeout(10_000)).catch(() => undefined);
    expect((await hangs).text).toMatch(
      /^page_crashed: The page in window w1 has crashed\. Start it again with navigate/,
    );
    expect(await app.fail("inspect_dom")).toMatch(/^page_crashed/);
    expect(await app.do("get_window_info")).toContain("crashed");
    expect(await app.do("navigate", { action: "reload" })).toContain(`"Fine" at ${url}`);
    expect(await app.value("1 + 1")).toBe(2);
  });

  it("is stuck in a loop is reported, and stopped by a reload", async () => {
    await app.show("<title>Busy</title><button onclick='for (;;);'>Hang</button>");
    await app.value("setTimeout(() => { for (;;); }); 0");
    expect(await app.fail("click", { text: "Hang", timeoutMs: 0 })).toMatch(
      /^page_unresponsive: The page does not answer\. It may be stuck in a loop/,
    );
    expect(await app.do("get_window_info")).toContain("does not answer");
    expect(await app.do("navigate", { action: "reload" })).toContain('"Busy"');
    expect(await app.value("document.title")).toBe("Busy");
  });

  it("navigates while an element is awaited may have it on the next page", async () => {
    const next = app.page("<button onclick='document.title = 1'>Wanted</button>");
    await app.show(`<script>setTimeout(() => { location.href = ${JSON.stringify(next)}; }, 100);</script>`);
    await app.do("click", { text: "Wanted" });
    expect(await app.value("document.title")).toBe("1");
  });

  it("has navigated refuses refs of the previous page", async () => {
    await app.show("<button>One</button>");
    const [, ref] = /(\d*e\d+) button/.exec(await app.do("inspect_dom")) ?? [];
    await app.show("<button>Two</button>");
    await app.do("inspect_dom");
    expect(await app.fail("click", { ref })).toMatch(
      /^stale_ref: "e\d+" is not an element of the current page\. The page has changed/,
    );
  });

  it("tampers with the built-ins of scripts causes no harm", async () => {
    await app.show(`<button onclick="document.title = 'fine'">Go</button><script>
      Array.prototype.map = Array.prototype.filter = JSON.stringify = Map.prototype.get = () => { throw new Error("tampered"); };
      Element.prototype.getBoundingClientRect = Element.prototype.checkVisibility = () => { throw new Error("tampered"); };
    </script>`);
    expect(await app.do("inspect_dom")).toContain('button "Go"');
    expect(await app.do("click", { text: "Go" })).toContain("Clicked");
  });
});

describe("the app", () => {
  it("that closes in the middle of a call is a clear error, and the next call works when it is back", async () => {
    await app.show("here");
    const hangs = app.call("evaluate_js", { code: "await new Promise(() => {})", timeoutMs: 20_000 });
    await app.value("1");
    process.kill(app.browser.pid, "SIGKILL");
    expect((await hangs).text).toMatch(/^app_gone: The app closed the connection in the middle of the call/);
    expect(await app.fail("inspect_dom")).toMatch(
      /^app_unreachable: No debugging port of an app answers at http:\/\/127\.0\.0\.1:\d+ \([A-Z_]+\)\. Start the app with --remote-debugging-port/,
    );
    await app.restart();
    expect(await app.do("get_window_info")).toMatch(
      /Reconnected: the app had ended the connection, so it may have been restarted\.$/,
    );
    expect(await app.do("get_window_info")).not.toContain("Reconnected");
    await app.show("<button>Back</button>");
    await app.do("click", { text: "Back" });
  });

  it("is connected to once by concurrent first calls", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => app.do("get_window_info")));
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).not.toContain("Reconnected");
  });

  it("that cannot be reached is one line in the log", async () => {
    const lines: unknown[] = [];
    const note = (...line: unknown[]) => void lines.push(line);
    const log = { debug: note, info: note, warn: note, error: note };
    await app.connect({ cdpUrl: `http://127.0.0.1:${await freePort()}`, log });
    expect(await app.fail("inspect_dom")).toMatch(/^app_unreachable/);
    expect(lines).toEqual([["not connected", { error: "ECONNREFUSED" }]]);
  });

  it("keeps running when the server ends", async () => {
    await app.show("<title>Still here</title>");
    await app.disconnect();
    expect(await app.do("get_window_info")).toContain('"Still here"');
  });
});

it("is not affected by a canceled call, nor is the next call", async () => {
  await app.show("<button>Go</button>");
  const cancel = new AbortController();
  const waits = app.call("click", { text: "Never there", timeoutMs: 30_000 }, cancel.signal);
  await app.do("inspect_dom");
  cancel.abort();
  await expect(waits).rejects.toThrow(/abort/i);
  await app.do("click", { text: "Go" });
});

it("receives the clicks of concurrent calls one after the other", async () => {
  await app.show(`<input id=a><input id=b>`);
  await Promise.all([
    app.do("type_text", { selector: "#a", text: "first field" }),
    app.do("type_text", { selector: "#b", text: "second field" }),
  ]);
  expect(await app.value("[a.value, b.value]")).toEqual(["first field", "second field"]);
});
