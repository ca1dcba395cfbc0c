import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { screen, typeLine, untilShown } from "./testing/terminal";
import { openShell } from "./testing/workbench";

const journey = useJourney();

/** Prints each read of its input as JSON, until Ctrl+D. */
const READER =
  "console.log('re' + 'ady'); process.stdin.setRawMode(true).on('data', (d) => d == '\\x04' ? process.exit() : console.log(JSON.stringify('' + d) + '\\r'))";

it("keeps the keyboard in a terminal when a prompt opens above it, and when its session ends", async () => {
  const link = "\\033]8;;https://example.com/\\007go%sod\\033]8;;\\007";
  const { page, context, client, organizationId, session } = await openShell(
    journey,
    `clear; printf '\\n\\n\\n\\n\\n\\n\\n\\n${link}\\n' ''; cat -v`,
  );
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const terminal = page.getByRole("region", { name: "Terminal" });
  const address = page.url();
  await untilShown(page, "good");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  const size = async () => {
    const { columns, rows } = await client.agent.sessionTail.query({
      organizationId,
      id: session.id,
      length: 1,
    });
    return { columns, rows };
  };
  await typeLine(page, "first");
  await untilShown(page, /firstfirst/);
  const before = await size();
  const box = () => terminal.locator(".xterm").boundingBox();
  const place = await box();

  // A prompt takes the focus from the terminal, and returns it. The program does not get the Escape.
  const words = terminal.getByText("good", { exact: true });
  const asked = page.getByRole("alert").filter({ hasText: "The program links to:" });
  const focused = () => page.evaluate("document.activeElement?.textContent");
  for (const close of ["Escape", "Do not open"]) {
    await words.hover({ force: true });
    await page.getByTitle("Ctrl+click to open the link").waitFor();
    await words.click({ modifiers: ["Control"], force: true });
    await asked.waitFor();
    expect(await box()).toEqual(place);
    await expect.poll(focused).toBe("Open in a new tab");
    await page.keyboard.type("gs.");
    if (close === "Escape") await page.keyboard.press("Escape");
    else await page.getByRole("button", { name: close }).click();
    await asked.waitFor({ state: "detached" });
    await page.keyboard.type("o");
  }
  await typeLine(page, "k");
  await untilShown(page, "ookook");
  expect(await screen(page)).not.toContain("^[");
  expect(await size()).toEqual(before);
  expect(page.url()).toBe(address);

  // A program's text is copied only when the user confirms.
  await page.keyboard.press("Control+c");
  await typeLine(page, "clear; printf '\\033]52;c;aGVsbG8=\\007<off%s>' ered");
  await untilShown(page, "<offered>");
  await page.evaluate("navigator.clipboard.writeText('old')");
  const offer = page.getByRole("alert").filter({ hasText: "The program wants to copy 5 characters:hello" });
  await offer.getByRole("button", { name: "Copy", exact: true }).click();
  await offer.waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe("hello");

  // The session ends while the user is typing.
  await page.keyboard.press("Control+c");
  await typeLine(page, "exec true");
  await page.getByText("Ended. Press Esc to leave").waitFor();
  await page.keyboard.type("please show the open organization settings now and go on with tasks ");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await terminal.getByText("Ended", { exact: true }).waitFor();
  expect(page.url()).toBe(address);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(await page.getByRole("menu").count()).toBe(0);
});

it("never splits a key's sequence, and shows text that a silent machine has not confirmed", async () => {
  const { page, agent } = await openShell(
    journey,
    `clear; ${JSON.stringify(process.execPath)} -e "${READER}"`,
  );
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await untilShown(page, "ready");
  const keys = {
    "Shift+Enter": "\\u001b\\r",
    "Alt+Enter": "\\u001b\\r",
    "Alt+b": "\\u001bb",
    ArrowUp: "\\u001b[A",
  };
  let shown = "";
  for (const [key, text] of Object.entries(keys)) {
    await page.keyboard.press(key);
    shown += `"${text}"`;
    await untilShown(page, shown);
  }
  // The Enter of an input method is not sent.
  await page.getByRole("textbox", { name: "Terminal input" }).evaluate((element) => {
    const init = { key: "Enter", shiftKey: true, isComposing: true, keyCode: 229, bubbles: true };
    element.dispatchEvent(new KeyboardEvent("keydown", init));
  });
  await page.keyboard.press("z");
  await untilShown(page, `${shown}"z"`);

  agent.child.kill("SIGSTOP");
  await page.keyboard.type("asleep");
  const waits = page.getByRole("alert").filter({ hasText: "6 characters not sent yet: «asleep»" });
  await waits.waitFor();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await waits.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("alert").filter({ hasText: "1 character not sent yet: «a»" }).waitFor();
  agent.child.kill("SIGCONT");
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.keyboard.press("!");
  await untilShown(page, '"z""a""!"');
});

it("copies by keyboard, pastes lines without a question where the program asks for that, and shows inverse text clearly", async () => {
  const inverse = "\\033[7minverse\\033[0m";
  const { page, context } = await openShell(
    journey,
    `clear; printf '\\n\\n\\ncopy-this other-text ${inverse}\\n\\033[?2004h'; cat -v`,
  );
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const terminal = page.getByRole("region", { name: "Terminal" });
  const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  // The shell also echoes the command, before the screen is cleared.
  await untilShown(page, "other-text inverse");

  // A double click selects a word.
  const line = terminal.locator(".xterm-rows span").filter({ hasText: "copy-this" });
  await line.dblclick({ position: { x: 10, y: 8 }, force: true });
  await page.keyboard.press("Control+c");
  await expect.poll(copied).toMatch(/^copy(-this)?$/);
  await page.evaluate("navigator.clipboard.writeText('')");
  await line.dblclick({ position: { x: 10, y: 8 }, force: true });
  await page.keyboard.press("Control+Shift+C");
  await expect.poll(copied).toMatch(/^copy(-this)?$/);
  // The program was not interrupted, and the keyboard stays in the terminal.
  await typeLine(page, "still");
  await untilShown(page, "stillstill");

  await page.getByRole("textbox", { name: "Terminal input" }).evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "one\ntwo");
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await untilShown(page, "^[[200~one");
  expect(await page.getByRole("alert").count()).toBe(0);

  const colours = terminal.locator("span.xterm-bg-257").filter({ hasText: "inverse" });
  const [text, ground] = await colours.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor].map((value) =>
      (value.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0),
    );
  });
  // Black on white, or white on black: 765 is the sum of white's channels.
  expect(Math.abs((text ?? 0) - (ground ?? 0))).toBeGreaterThan(650);
});
