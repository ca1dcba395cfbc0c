import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { holdFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { typeLine, untilShown } from "./testing/terminal";
import { openShell } from "./testing/workbench";

const journey = useJourney();

it("finds text in the scrollback, and gives the keyboard back", async () => {
  const { page } = await openShell(
    journey,
    "clear; for i in $(seq 200); do echo needle-$i; done; echo all-pri''nted; cat -v",
  );
  await untilShown(page, "all-printed");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  const field = page.getByRole("searchbox", { name: "Find in the terminal" });
  const result = page.getByRole("search").getByRole("status");

  // The program's Ctrl+F is not taken from it.
  await page.keyboard.press("Control+f");
  await untilShown(page, "^F");
  await page.keyboard.press("Control+Shift+F");
  await field.waitFor();
  // Letters that are shortcuts of the page or of the terminal.
  await page.keyboard.type("needle-1");
  await expect.poll(() => result.textContent()).toBe("111 of 111");
  await page.keyboard.press("Shift+Enter");
  await expect.poll(() => result.textContent()).toBe("110 of 111");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect.poll(() => result.textContent()).toBe("1 of 111");
  await untilShown(page, /^needle-1needle-2/);
  await field.fill("NEEDLE-42");
  await expect.poll(() => result.textContent()).toBe("1 of 1");
  await untilShown(page, "needle-42");
  await field.fill("nothing like this");
  await expect.poll(() => result.textContent()).toBe("No matches");

  // From the terminal, the key returns to the open bar. Escape closes it, and the program does not get that key.
  await page.getByRole("textbox", { name: "Terminal input" }).focus();
  await page.keyboard.press("Control+Shift+F");
  await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await typeLine(page, "back");
  await untilShown(page, /\^Fback.*back/);

  // A viewer finds with the button, and types nothing.
  await page.keyboard.press("F6");
  await page.getByText("Read-only", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Find/ }).click();
  await page.keyboard.type("i");
  await field.waitFor();
  await field.fill("needle-7");
  await expect.poll(() => result.textContent()).toBe("11 of 11");
  await page.getByText("Read-only", { exact: true }).waitFor();
});

it("finds the letters that were typed while its code was loading, and the program gets none", async () => {
  const { page } = await openShell(journey, "clear; echo need''le; cat -v");
  await untilShown(page, "needle");
  const code = /\/assets\/terminalFindBar-.*\.js$/;
  const release = await holdFirst(page, code);
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  const isRequested = page.waitForRequest(code);
  await page.keyboard.press("Control+Shift+F");
  await isRequested;
  await page.keyboard.type("neee");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("d");
  await page.keyboard.press("Enter");
  release();
  const field = page.getByRole("searchbox", { name: "Find in the terminal" });
  await expect.poll(() => field.inputValue()).toBe("need");
  await expect.poll(() => page.getByRole("search").getByRole("status").textContent()).toBe("1 of 1");
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await typeLine(page, "back");
  await untilShown(page, /^needleback/);
});

it("downloads the scrollback as text", async () => {
  const { page } = await openShell(journey, "clear; seq -f 'row %g' 300; echo all-pri''nted");
  await untilShown(page, "all-printed");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the text" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^[\w.-]+\.txt$/);
  const lines = (await readFile(await file.path(), "utf8")).split("\n");
  const rows = lines.filter((line) => line.startsWith("row "));
  expect(rows).toEqual(Array.from({ length: 300 }, (_, n) => `row ${n + 1}`));
});
