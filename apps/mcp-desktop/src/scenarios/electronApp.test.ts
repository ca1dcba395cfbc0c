import { describe, expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";
import { run } from "../testing/program";
import { type Disguise, Relay } from "../testing/relay";

/** A relay in front of a real Chromium imitates what Electron has and Chromium lacks. */
const app = useApp();

async function behindRelay(disguise: Disguise, options = {}): Promise<Relay> {
  const relay = await Relay.start(app.browser.url, disguise);
  onTestFinished(() => relay.stop());
  await app.disconnect();
  await app.connect({ cdpUrl: relay.url, ...options });
  return relay;
}

const devtools = "devtools://devtools/bundled/devtools_app.html";
const background = "chrome-extension://ncmbgjhchoadhapkbpcpjopabnbflmgo/_generated_background_page.html";

describe("an app of several targets", () => {
  /**
   * Starts an app with a main window, a web page in a `<webview>`, developer tools, an extension's background page and
   * a service worker.
   */
  async function start(): Promise<Relay> {
    const worker = app.file("/worker.js", "// Works.", "text/javascript");
    const main = app.page(
      `<title>Main</title><button onclick="document.title = 'pressed'">Press</button>
      <script>navigator.serviceWorker.register(${JSON.stringify(worker)}, { scope: "/none/" });</script>`,
    );
    const guest = app.page(`<title>Guest</title><button>Within</button>`, "localhost");
    const tools = app.page("<title>DevTools</title>");
    const page = app.page("<title>Extension</title>");
    for (const url of [tools, guest, page, main]) await app.open(url);
    const addresses = { [tools]: devtools, [page]: background };
    const types = { [guest]: "webview", [devtools]: "other", [background]: "background_page" };
    const relay = await behindRelay({ addresses, types, unknown: ["Browser.getWindowForTarget"] });
    const list = async () => (await fetch(`${relay.url}/json/list`)).text();
    for (const seen of ["service_worker", "Main", "Guest", "DevTools", "Extension"])
      await expect.poll(list).toContain(`"${seen}"`);
    return relay;
  }

  it("is driven through its window; a webview is another window, and nothing else is", async () => {
    await start();
    const windows = await app.do("get_window_info");
    expect(windows).toMatch(/^3 windows\.\n/);
    expect(windows).toMatch(/^w\d+ page "Main" http.* default$/m);
    expect(windows).toMatch(/^w\d+ webview "Guest" http:\/\/localhost/m);
    expect(windows).not.toMatch(/devtools|extension|worker|bounds/);
    expect(await app.do("click", { text: "Press" })).toMatch(/^Clicked <button> "Press"/);
    const [, windowId] = /(w\d+) webview/.exec(windows) ?? [];
    expect(await app.do("inspect_dom", { windowId })).toContain('button "Within"');
    await app.do("click", { text: "Within", windowId });
    expect(await app.value("document.title")).toBe("pressed");
  });

  it("is described by doctor", async () => {
    const { url } = await start();
    const { stdout, code } = await run(["doctor"], { CDP_URL: url, LOG_LEVEL: "error" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}-- service_worker .* http.*\/worker\.js$/m);
    expect(stdout).toMatch(new RegExp(`^  -- background_page "Extension" ${background}$`, "m"));
    expect(stdout).toMatch(new RegExp(`^  -- other "DevTools" ${devtools}$`, "m"));
    expect(stdout).toMatch(/^ {2}w\d+ webview "Guest" http/m);
    const [, main] = /(w\d+) page "Main"/.exec(stdout) ?? [];
    expect(stdout).toContain(`ok: tools act on ${main} by default`);
  });

  it("does not mistake developer tools or an extension's page for a window of its own", async () => {
    const [tools, page, other] = ["DevTools", "Popup", "Other"].map((title) =>
      app.page(`<title>${title}</title>`),
    ) as [string, string, string];
    const popup = "chrome-extension://ncmbgjhchoadhapkbpcpjopabnbflmgo/popup.html";
    await app.show(
      `<button onclick="window.open('${tools}'); window.open('${page}'); window.open('${other}')">Open</button>`,
    );
    await behindRelay({ addresses: { [tools]: devtools, [page]: popup } });
    const followed = await app.do("click", { text: "Open" });
    await expect.poll(() => app.do("get_window_info")).toMatch(/page "Other"/);
    expect(followed).not.toMatch(/devtools|extension/);
    expect(await app.do("get_window_info")).not.toMatch(/devtools|extension/);
  });

  it("without a window reports its targets", async () => {
    const url = await app.show("<title>Behind</title>");
    await behindRelay({ types: { [url]: "background_page" } });
    expect(await app.fail("inspect_dom")).toMatch(
      new RegExp(
        `^no_window: The app has no window\\. Open one, or change APP_URL\\. Its targets: .*background_page ${url}`,
      ),
    );
    expect(await app.do("get_window_info")).toBe("The app has no window.");
  });

  it("with only a webview is driven through that", async () => {
    const url = await app.show("<title>Guest</title><button>Go</button>");
    await behindRelay({ types: { [url]: "webview" } });
    await app.do("click", { text: "Go" });
    expect(await app.do("get_window_info")).toMatch(/^1 window\.\nw1 webview "Guest" .* default$/);
  });
});

describe("an app with a scheme of its own", () => {
  /** Starts two apps. They are two origins, although `URL` reports the origin "null" for both addresses. */
  async function start(options = {}) {
    const page = (host: "127.0.0.1" | "localhost") =>
      app.page(`<title>Of ${host}</title><button>Go</button><a href="/nowhere">Link</a>`, host);
    const [main, other] = [page("127.0.0.1"), page("localhost")];
    await app.show("");
    await app.do("navigate", { url: main });
    const addresses = { [new URL(main).origin]: "app://main", [new URL(other).origin]: "app://other" };
    await behindRelay({ addresses }, options);
    return {
      main: `app://main${new URL(main).pathname}`,
      other: `app://other${new URL(other).pathname}`,
      real: other,
    };
  }

  it("is inspected and used at its addresses", async () => {
    const { main } = await start();
    expect(await app.do("get_window_info")).toContain(` page "Of 127.0.0.1" ${main} `);
    expect(await app.do("inspect_dom")).toMatch(new RegExp(`^"Of 127.0.0.1" at ${main}: `));
    await app.do("click", { text: "Go" });
    expect(await app.do("click", { text: "Link" })).toContain('The page is now "" at app://main/nowhere.');
    await app.disconnect();
  });

  it("is chosen by APP_URL", async () => {
    const { main, real } = await start({ appUrl: "app://main/" });
    await app.open(real);
    await expect.poll(() => app.do("get_window_info")).toContain("app://other/");
    expect(await app.do("inspect_dom")).toContain(main);
  });

  it("goes to paths, routes and addresses of the app, and to no other scheme", async () => {
    const { main, other } = await start();
    expect(await app.do("navigate", { path: "/nowhere" })).toBe('Now "" at app://main/nowhere (HTTP 404).');
    const relative = main.replace("app://main/", "./");
    expect(await app.do("navigate", { path: relative })).toBe(`Now "Of 127.0.0.1" at ${main} (HTTP 200).`);
    expect(await app.do("navigate", { path: "#/home" })).toBe(`Now "Of 127.0.0.1" at ${main}#/home.`);
    expect(await app.do("navigate", { path: "/settings?tab=1" })).toContain(`at ${main}#/settings?tab=1.`);
    expect(await app.do("navigate", { url: other })).toBe(`Now "Of localhost" at ${other} (HTTP 200).`);
    expect(await app.do("navigate", { action: "back" })).toContain(`at ${main}#/settings`);
    await app.do("navigate", { url: main });
    for (const path of ["//other/", "app://other/", "app:other", "file:///etc/passwd"])
      expect(await app.fail("navigate", { path })).toMatch(
        /^invalid_path: .* is not a path of the app, which is at app:/,
      );
    for (const url of ["file:///etc/passwd", devtools, "chrome://version", "other://main/", "javascript:1"])
      expect(await app.fail("navigate", { url })).toMatch(
        /^scheme_not_allowed: \S+: addresses are not opened\. Use http(, https and app| and https)\.$/,
      );
    expect(await app.fail("navigate", { url: "app://other\\@main/" })).toMatch(
      /^invalid_url: "app:\/\/other\\\\@main\/" has a backslash/,
    );
  });

  it("is restricted to its origin, and another app has another one", async () => {
    const { main, other, real } = await start({ origins: ["app://main"] });
    expect(await app.do("inspect_dom")).toContain(main);
    for (const url of [other, "app://main.other/", "app://other@mainly/", "app:main/", "app:///main/"])
      expect(await app.fail("navigate", { url })).toMatch(
        /^origin_not_allowed: ".*" is not among the allowed origins\. Allowed: app:\/\/main; navigate/,
      );
    await app.open(real);
    await expect.poll(() => app.do("get_window_info")).toContain(other);
    const [, windowId] = new RegExp(`(w\\d+) page .* ${other}`).exec(await app.do("get_window_info")) ?? [];
    for (const [tool, args] of [
      ["inspect_dom", {}],
      ["click", { text: "Go" }],
      ["evaluate_js", { code: "1" }],
      ["take_screenshot", {}],
      ["get_console_logs", {}],
    ] as const)
      expect(await app.fail(tool, { ...args, windowId })).toBe(
        'origin_not_allowed: "app://other" is not among the allowed origins. Allowed: app://main; navigate goes there.',
      );
    await app.do("navigate", { url: main, windowId });
    await app.do("click", { text: "Go", windowId });
  });
});

it("that is too old is refused, by doctor too", async () => {
  const version = await (await fetch(`${app.browser.url}/json/version`)).text();
  const [now = ""] = /Chrome\/\d+/.exec(version) ?? [];
  const { url } = await behindRelay({ addresses: { [now]: "Chrome/104" } });
  const message = "The app runs Chromium 104. The oldest supported version is 105 (Electron 21)";
  expect(await app.fail("inspect_dom")).toBe(`app_too_old: ${message}. Update the app's Electron.`);
  const { stderr, code } = await run(["doctor"], { CDP_URL: url, LOG_LEVEL: "error" });
  expect(code).toBe(1);
  expect(stderr).toContain(`failed: ${message}.`);
});
