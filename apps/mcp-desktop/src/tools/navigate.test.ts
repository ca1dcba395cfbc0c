import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { freePort } from "@grove/testing/freePort";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";
import { Relay } from "../testing/relay";

const app = useApp();

it("goes to a url, a path, back, forward, and reloads", async () => {
  const first = app.page("<title>First</title>");
  const second = app.page("<title>Second</title>");
  expect(await app.do("navigate", { url: first })).toBe(`Now "First" at ${first} (HTTP 200).`);
  expect(await app.do("navigate", { path: new URL(second).pathname })).toBe(
    `Now "Second" at ${second} (HTTP 200).`,
  );
  expect(await app.do("navigate", { action: "back" })).toContain(`"First" at ${first}`);
  expect(await app.do("navigate", { action: "forward" })).toContain(`"Second" at ${second}`);
  await app.value("window.old = true");
  expect(await app.do("navigate", { action: "reload" })).toContain('"Second"');
  expect(await app.value("window.old")).toBe(undefined);
  expect(await app.do("navigate", { path: "/nowhere" })).toContain("(HTTP 404)");
});

it.each([
  ["#/settings", "#/settings"],
  ["/settings", "#/settings"],
  ["#plain", "#plain"],
])("goes to %s where the app routes by hash", async (path, hash) => {
  const url = await app.show(`<script>onhashchange = () => { document.title = location.hash; };</script>`);
  await app.do("navigate", { path: "#/home" });
  expect(await app.do("navigate", { path })).toContain(`at ${url}${hash}.`);
  expect(await app.value("document.title")).toBe(hash);
});

it("routes within an app's files, and refuses those of others", async () => {
  await app.show("web page");
  const directory = await temporaryDirectory();
  const file = join(directory, "index.html");
  await writeFile(file, "<title>App</title><button>Local</button>");
  const url = pathToFileURL(file).href;
  expect(await app.fail("navigate", { url })).toBe(
    "scheme_not_allowed: file: addresses are not opened. Use http and https.",
  );
  await fetch(`${app.browser.url}/json/new?${url}`, { method: "PUT" });
  await expect.poll(() => app.do("get_window_info")).toContain(url);
  const [, windowId] = new RegExp(`(w\\d+) page "App" ${url}`).exec(await app.do("get_window_info")) ?? [];
  await app.do("click", { text: "Local", windowId });
  expect(await app.do("navigate", { path: "/settings", windowId })).toBe(`Now "App" at ${url}#/settings.`);
  expect(await app.do("navigate", { url, windowId })).toContain(url);
  await mkdir(join(directory, "pages"));
  await writeFile(join(directory, "pages", "help.html"), "<title>Help</title>");
  expect(await app.do("navigate", { path: "pages/help.html", windowId })).toContain('"Help"');
  expect(await app.do("navigate", { path: "../index.html", windowId })).toContain('"App"');
  for (const away of [
    { path: "../../../../../etc/passwd" },
    { url: "file:///etc/passwd" },
    { url: `${url}/../../x` },
  ])
    expect(await app.fail("navigate", { ...away, windowId })).toMatch(
      /^file_not_allowed: .* is outside the app's directory\. Its files are below file:/,
    );
});

it("reports the document that was loaded, with the title that the page's own handlers leave", async () => {
  const url = app.page(
    `<title>Loading</title><script>onload = () => { document.title = "Loaded"; };</script>`,
  );
  expect(await app.do("navigate", { url })).toBe(`Now "Loaded" at ${url} (HTTP 200).`);
  await app.value("document.title = 'Renamed'");
  expect(await app.do("navigate", { path: "#part" })).toBe(`Now "Renamed" at ${url}#part.`);
  const other = app.page("<title>Other</title>", "localhost");
  expect(await app.do("navigate", { url: other, waitUntil: "domcontentloaded" })).toBe(
    `Now "Other" at ${other} (HTTP 200).`,
  );
  const within = app.page(`<title>Around</title><iframe src="${url}"></iframe>`);
  expect(await app.do("navigate", { url: within })).toBe(`Now "Around" at ${within} (HTTP 200).`);
  expect(await app.do("navigate", { action: "back" })).toBe(`Now "Other" at ${other} (HTTP 200).`);
});

describe("refuses", () => {
  it.each([
    [{}, /^invalid_input: No destination is given/],
    [{ url: "http://x/", action: "back" }, /^invalid_input: url and action cannot be combined/],
    [{ url: "no address" }, /^invalid_url: "no address" is not a full address/],
    [{ url: "javascript:alert(1)" }, /^scheme_not_allowed: javascript:/],
    [{ url: "data:text/html,x" }, /^scheme_not_allowed: data:/],
    [{ url: "chrome://version" }, /^scheme_not_allowed: chrome:/],
    [{ url: "file:///etc/passwd" }, /^scheme_not_allowed: file:/],
    [
      { path: "javascript:document.title='ran'" },
      /^invalid_path: "javascript:document.title='ran'" is not a path/,
    ],
    [{ path: " java\nscript:1" }, /^invalid_path: /],
    [{ path: "file:///etc/passwd" }, /^invalid_path: /],
    [{ path: "data:text/html,x" }, /^invalid_path: /],
    [
      { path: "//example.com/" },
      /^invalid_path: "\/\/example\.com\/" is not a path of the app, which is at http:/,
    ],
    [{ action: "forward" }, /^no_history: There is nothing to go forward to/],
  ])("%j", async (args, reason) => {
    await app.show("here");
    expect(await app.fail("navigate", args)).toMatch(reason);
  });

  it("a path if there is no app", async () => {
    await app.connect();
    await app.do("navigate", { url: app.page("somewhere") });
    await app.value("location.href = 'about:blank'; 0");
    await expect.poll(() => app.value("location.href")).toBe("about:blank");
    expect(await app.fail("navigate", { path: "/settings" })).toMatch(
      /^invalid_path: "\/settings" is not a path of the app, which is at about:blank\./,
    );
  });

  it("an address that does not exist", async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    expect(await app.fail("navigate", { url: address })).toMatch(
      /^navigation_failed: http.* could not be loaded \(net::ERR_CONNECTION_REFUSED\)/,
    );
  });

  it("to wait longer than requested", async () => {
    const url = app.page(`<img src="/never">`);
    expect(await app.fail("navigate", { url, timeoutMs: 300 })).toMatch(
      /^timed_out: The page had not reached load after 300 ms/,
    );
    expect(await app.do("navigate", { url, waitUntil: "domcontentloaded" })).toContain(url);
  });

  it("origins that are not allowed, and to act on them", async () => {
    const allowed = app.page("<button>Here</button>");
    const other = app.page("<button>There</button>", "localhost");
    await app.connect({ origins: [new URL(allowed).origin] });
    await app.do("navigate", { url: allowed });
    expect(await app.fail("navigate", { url: other })).toMatch(
      /^origin_not_allowed: "http:\/\/localhost:\d+" is not among the allowed origins/,
    );
    await app.value(`location.href = ${JSON.stringify(other)}; 0`);
    await expect.poll(() => app.fail("inspect_dom")).toMatch(/^origin_not_allowed/);
    expect(await app.fail("evaluate_js", { code: "1" })).toMatch(/^origin_not_allowed/);
    expect(await app.fail("get_console_logs")).toMatch(/^origin_not_allowed/);
    await app.do("navigate", { url: allowed });
    await app.do("click", { text: "Here" });
    expect(await app.fail("navigate", { action: "back" })).toMatch(
      /^origin_not_allowed: "http:\/\/localhost/,
    );
  });

  it("to act on a page of another origin that arrived while an element was awaited", async () => {
    const other = app.page(
      `<input><button onclick="document.title = 'clicked'">Wanted</button>`,
      "localhost",
    );
    const allowed = app.page("<p>Here");
    await app.connect({ origins: [new URL(allowed).origin] });
    for (const [tool, args] of [
      ["click", { text: "Wanted" }],
      ["type_text", { selector: "input", text: "secret" }],
    ] as const) {
      await app.do("navigate", { url: allowed });
      const waits = app.fail(tool, args);
      await app.value(`setTimeout(() => { location.href = ${JSON.stringify(other)}; }); 0`);
      expect(await waits).toMatch(/^origin_not_allowed: "http:\/\/localhost/);
    }
  });
});

it("uses the next document before the end of the previous one is reported", async () => {
  const relay = await Relay.start(app.browser.url, {
    held: ["Runtime.executionContextsCleared", "Runtime.executionContextDestroyed"],
  });
  onTestFinished(() => relay.stop());
  const next = app.page("<button onclick=\"document.title = 'clicked'\">Wanted</button>", "localhost");
  await app.connect({ cdpUrl: relay.url });
  // Both documents are the first of their processes, so their worlds have the same number.
  await app.do("navigate", { url: app.page("", "localhost") });
  await app.do("navigate", { url: app.page("<button>First</button>") });
  await app.do("click", { text: "First" });
  const { kept } = relay;
  await app.value(`setTimeout(() => { location.href = ${JSON.stringify(next)}; }); 0`);
  await until(() => relay.kept > kept);
  await app.do("click", { text: "Wanted" });
  expect(await app.value("document.title")).toBe("clicked");
});
