import { expect, it, onTestFinished } from "vitest";
import { useApp } from "../testing/app";
import { Relay } from "../testing/relay";

const app = useApp();

it("lists windows with the ids that the other tools accept", async () => {
  const url = await app.show(`<title>Main</title>`);
  expect(await app.do("get_window_info")).toMatch(
    new RegExp(
      `^1 window\\.\nw1 page "Main" ${url} bounds -?\\d+,-?\\d+ \\d+x\\d+ state normal visible.* devicePixelRatio 1 viewport \\d+x\\d+ default$`,
    ),
  );
});

it("offers none of the browser's own pages but a new tab", async () => {
  await app.show("<title>Main</title>");
  for (const url of ["chrome://version/", "chrome://newtab/"]) await app.open(url);
  const list = async () => (await fetch(`${app.browser.url}/json/list`)).text();
  for (const url of ["chrome://version", "chrome://new"]) await expect.poll(list).toContain(`"${url}`);
  const windows = await app.do("get_window_info");
  expect(windows).toMatch(/^2 windows\.\n/);
  expect(windows).toMatch(/ chrome:\/\/new-?tab/);
  expect(await app.fail("inspect_dom", { windowId: "w9" })).not.toContain("version");
});

it("acts on the named window, otherwise on the one used before", async () => {
  const second = app.page(`<title>Second</title><button>Two</button>`);
  await app.show(`<title>First</title><button>One</button><script>window.open("${second}")</script>`);
  await expect.poll(() => app.do("get_window_info")).toContain('page "Second"');
  const [, windowId] = /(w\d+) page "Second"/.exec(await app.do("get_window_info")) ?? [];
  await app.do("click", { text: "Two", windowId });
  await app.do("click", { text: "One" });
  expect(await app.do("inspect_dom", { windowId })).toContain('"Second"');
  expect(await app.fail("inspect_dom", { windowId: "w99" })).toMatch(
    /^unknown_window: There is no window "w99"\. Open now: w\d+/,
  );
});

it("chooses the window of APP_URL, by address or title", async () => {
  const second = app.page(`<title>Settings of it</title>`);
  await app.show(`<title>First</title><script>window.open("${second}")</script>`);
  await expect.poll(() => app.do("get_window_info")).toContain('page "Settings of it"');
  await app.disconnect();
  for (const appUrl of ["settings*it", new URL(second).pathname]) {
    await app.connect({ appUrl });
    expect(await app.do("inspect_dom")).toMatch(/^"Settings of it" at /);
    // This window stays the app's window even after it navigates to a different kind of address.
    await app.do("navigate", { url: app.page("<title>Sign in</title>") });
    expect(await app.do("inspect_dom")).toMatch(/^"Sign in" at /);
    await app.do("navigate", { url: second });
    await app.disconnect();
  }
  await app.connect({ appUrl: "nowhere" });
  expect(await app.fail("inspect_dom")).toMatch(
    /^no_window: No window of the app has the address "nowhere"\. Open one, or change APP_URL\. Its targets: page http/,
  );
});

it("notices a closed window before the browser has reported it", async () => {
  const url = app.page(`<title>Second</title><button onclick="window.close()">Close me</button>`);
  await app.show(`<title>First</title><button onclick="window.open('${url}')">Open</button>`);
  const relay = await Relay.start(app.browser.url, { held: ["Target.targetDestroyed"] });
  onTestFinished(() => relay.stop());
  await app.disconnect();
  await app.connect({ cdpUrl: relay.url });
  const opened = await app.do("click", { text: "Open" });
  const [, windowId] = /A new window (w\d+) opened/.exec(opened) ?? [];
  expect(await app.do("click", { text: "Close me", windowId })).toContain("The window closed.");
  expect(await app.fail("click", { text: "Close me", windowId })).toMatch(
    /^unknown_window: There is no window "w\d+"\. Open now: w\d+ at http/,
  );
  expect(await app.do("get_window_info")).toMatch(/^1 window\.\n.*"First"/);
  await app.do("click", { text: "Open" });
  relay.release(1);
  expect(await app.do("get_window_info")).toMatch(/^2 windows\.\n/);
});
