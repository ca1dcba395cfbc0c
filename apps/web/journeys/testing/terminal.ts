import type { Locator, Page } from "@grove/testing/browser";
import { expect } from "vitest";
import { longestFrame, median } from "./measured";

/** Returns the text of the terminal's screen, with whitespace collapsed. */
export const screen = async (page: Page) =>
  (await page.locator("[data-terminal] .xterm-rows").allTextContents()).join("").replaceAll(/\s+/g, " ");

/** Waits until the terminal shows a text. A failure reports the screen, and the page's alerts. */
export const untilShown = (page: Page, text: string | RegExp): Promise<void> =>
  expect
    .poll(async () => ({
      reported: await page.getByRole("alert").allTextContents(),
      screen: await screen(page),
    }))
    .toMatchObject({
      screen: typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text),
    });

/** Types a line into a terminal, and sends it. */
export async function typeLine(page: Page, line: string): Promise<void> {
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
}

export const isTyping = (request: { url(): string }) => request.url().includes("agent.sendInput");

/**
 * Presses letters one at a time, each after the echo of the previous one.
 * @returns the milliseconds from each key's press to the paint of the changed terminal
 */
export async function keyToEcho(page: Page, count: number): Promise<number[]> {
  await page.evaluate(() => {
    const region = document.querySelector("[data-terminal]");
    if (!region) throw new Error("no terminal");
    const echoes: number[] = [];
    let pressed: { at: number; text: string | null } | undefined;
    addEventListener(
      "keydown",
      ({ timeStamp }) => (pressed = { at: timeStamp, text: region.textContent }),
      true,
    );
    new MutationObserver(() => {
      if (pressed === undefined || region.textContent === pressed.text) return;
      const { at } = pressed;
      pressed = undefined;
      // The task after the next frame runs once that frame has been painted.
      requestAnimationFrame(() => setTimeout(() => echoes.push(performance.now() - at)));
    }).observe(region, { subtree: true, childList: true, characterData: true });
    Object.assign(globalThis, { echoes });
  });
  const echoes = () => page.evaluate<number[]>("echoes");
  for (let pressed = 1; pressed <= count; pressed++) {
    await page.keyboard.press("x");
    await expect.poll(async () => (await echoes()).length, { interval: 5 }).toBe(pressed);
  }
  return echoes();
}

/** Types while a program prints 5 MB. Resolves with the median time to the API's answer, and the longest frame. */
export async function typeBesideOutput(page: Page): Promise<{ answered: number; frame: number }> {
  const frame = await longestFrame(page);
  await typeLine(page, "clear; yes | head -c 5000000; printf 'do%s>\\n' ne");
  const answers: number[] = [];
  for (let n = 0; n < 10; n++) {
    const answered = page.waitForEvent("requestfinished", isTyping);
    await page.keyboard.press("z");
    answers.push((await answered).timing().responseEnd);
  }
  await untilShown(page, "done>");
  return { answered: median(answers), frame: await frame() };
}

/**
 * Opens a terminal by a link, and waits until a text is painted in it.
 * @returns the milliseconds since the click, and since the first output arrived in the page
 */
export async function showTerminal(
  page: Page,
  link: Locator,
  text: string,
): Promise<{ sinceClick: number; sinceOutput: number }> {
  await page.evaluate((wanted) => {
    // The stream ends in a SharedWorker, which sends the output on.
    const data = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "data");
    let arrived: number | undefined;
    Object.defineProperty(MessageEvent.prototype, "data", {
      ...data,
      get(this: MessageEvent) {
        const message = data?.get?.call(this);
        if (message?.output?.type === "output") arrived ??= performance.now();
        return message;
      },
    });
    addEventListener(
      "click",
      ({ timeStamp }) => {
        const isShown = () => {
          const rows = document.querySelector("[data-terminal] .xterm-rows");
          return rows?.textContent.includes(wanted) && rows.checkVisibility({ visibilityProperty: true });
        };
        const look = () =>
          requestAnimationFrame(() => {
            if (!isShown()) return look();
            setTimeout(() => {
              const now = performance.now();
              if (data) Object.defineProperty(MessageEvent.prototype, "data", data);
              const shown = { sinceClick: now - timeStamp, sinceOutput: now - (arrived ?? Number.NaN) };
              Object.assign(globalThis, { shown });
            });
          });
        look();
      },
      { capture: true, once: true },
    );
    Object.assign(globalThis, { shown: undefined });
  }, text);
  await link.click();
  await expect.poll(() => page.evaluate("globalThis.shown")).toBeTypeOf("object");
  return page.evaluate("shown");
}
