import type { Page } from "@grove/testing/browser";
import { expect } from "vitest";

/** The text of the terminal's screen and of its bar, with one space for any blank. */
export const screen = async (page: Page) =>
  ((await page.getByRole("region", { name: "Terminal" }).textContent()) ?? "").replaceAll(/\s+/g, " ");

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
