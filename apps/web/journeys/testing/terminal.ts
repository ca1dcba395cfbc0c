import type { Locator, Page } from "@grove/testing/browser";
import { expect } from "vitest";

/** The text of the terminal's screen, with one space for any blank. */
export const screen = async (page: Page) =>
  (await page.locator("[data-terminal] .xterm-rows").allTextContents()).join("").replaceAll(/\s+/g, " ");

/**
 * Presses letters one at a time, each after the echo of the one before.
 * @returns the milliseconds from each key's press to the change of the terminal, in ascending order
 */
export async function keyToEcho(page: Page, count: number): Promise<number[]> {
  await page.evaluate(() => {
    const region = document.querySelector("[data-terminal]");
    if (!region) throw new Error("no terminal");
    const echoes: number[] = [];
    let pressed: { at: number; text: string | null } | undefined;
    addEventListener("keydown", () => (pressed = { at: performance.now(), text: region.textContent }), true);
    new MutationObserver(() => {
      if (pressed === undefined || region.textContent === pressed.text) return;
      echoes.push(performance.now() - pressed.at);
      pressed = undefined;
    }).observe(region, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { echoes });
  });
  const echoes = () => page.evaluate<number[]>("echoes");
  for (let pressed = 1; pressed <= count; pressed++) {
    await page.keyboard.press("x");
    await expect.poll(async () => (await echoes()).length, { interval: 5 }).toBe(pressed);
  }
  return (await echoes()).sort((a, b) => a - b);
}

/**
 * Measures how long the page takes for its frames.
 * @returns ends it, with the milliseconds in ascending order
 */
export async function measureFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const measured = { frames: [] as number[], ended: false };
    let last = performance.now();
    const onFrame = (now: number) => {
      measured.frames.push(now - last);
      last = now;
      if (!measured.ended) requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
    Object.assign(globalThis, { measured });
  });
  const end = "measured.ended = true, measured.frames.sort((a, b) => a - b)";
  return () => page.evaluate<number[]>(end);
}

/** The milliseconds from the click on a link until the terminal behind it shows a text. */
export async function timeToShow(page: Page, link: Locator, text: string): Promise<number> {
  await page.evaluate((wanted) => {
    addEventListener(
      "click",
      () => {
        const clicked = performance.now();
        const look = () => {
          const terminal = document.querySelector("[data-terminal]");
          if (terminal?.textContent.includes(wanted))
            Object.assign(globalThis, { shownAfter: performance.now() - clicked });
          else requestAnimationFrame(look);
        };
        look();
      },
      { capture: true, once: true },
    );
  }, text);
  await link.click();
  await expect.poll(() => page.evaluate("globalThis.shownAfter")).toBeTypeOf("number");
  return page.evaluate<number>("shownAfter");
}
