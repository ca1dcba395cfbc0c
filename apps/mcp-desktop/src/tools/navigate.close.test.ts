import { expect, it } from "vitest";
import { useApp } from "../testing/app";

const app = useApp();

/** Opens a second window. @returns its id */
async function openSecond(html: string): Promise<string> {
  const url = app.page(`<title>Second</title>${html}`);
  await app.show(`<title>First</title><button onclick="window.open('${url}')">Open</button>`);
  const opened = await app.do("click", { text: "Open" });
  return /A new window (w\d+) opened/.exec(opened)?.[1] ?? "";
}

const close = { action: "close" };

it("closes a window, and never the last one", async () => {
  const windowId = await openSecond("");
  expect(await app.do("navigate", { ...close, windowId })).toBe(`Closed window ${windowId}.`);
  expect(await app.do("get_window_info")).toMatch(/^1 window\.\n.*"First"/);
  expect(await app.fail("navigate", close)).toMatch(/^last_window: /);
  expect(await app.do("inspect_dom")).toContain('button "Open"');
});

it("leaves a window open whose page asks whether to leave, unless the call accepts", async () => {
  const windowId = await openSecond("<input><script>onbeforeunload = () => false</script>");
  await app.do("type_text", { selector: "input", text: "a", windowId });
  expect(await app.fail("navigate", { ...close, windowId })).toMatch(/^window_stays: .* beforeunload dialog/);
  expect(await app.do("inspect_dom", { windowId })).toContain('="a"');
  expect(await app.do("navigate", { ...close, windowId, dialog: "accept" })).toMatch(/^Closed window/);
});

it("closes a window that hangs", async () => {
  const windowId = await openSecond("");
  await app.value("setTimeout(() => { for (;;); }); 0", { windowId });
  expect(await app.do("navigate", { ...close, windowId })).toContain(`Closed window ${windowId}.`);
});
