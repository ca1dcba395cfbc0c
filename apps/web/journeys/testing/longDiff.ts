import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { longestFrame } from "./measured";

export const lines = (count: number, of: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => `${of(n)}\n`).join("");

/** Adds 20 000 lines in 50 files to a worktree. */
export async function addManyLines(worktree: string): Promise<void> {
  await mkdir(join(worktree, "many"));
  for (let n = 0; n < 50; n++)
    await writeFile(
      join(worktree, `many/file${String(n).padStart(2, "0")}.ts`),
      lines(400, (at) => `export const value${at}: string = "text ${at} of ${n}"; // a comment`),
    );
}

/**
 * Opens the diff beside the maximized terminals of its workspace. Resolves with the milliseconds until its first line
 * is painted.
 */
export const openDiff = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        const began = performance.now();
        document.querySelector<HTMLElement>("[aria-label='Show both sides']")?.click();
        const isThere = () =>
          [...document.querySelectorAll("diffs-container")].some(({ shadowRoot }) =>
            shadowRoot?.textContent.includes("value0"),
          );
        const look = () =>
          requestAnimationFrame(() => {
            if (isThere()) setTimeout(() => done(performance.now() - began));
            else look();
          });
        look();
      }),
  );

/**
 * Scrolls through a diff by mouse wheel.
 * @param pages distance, in window heights
 * @returns the longest frame in milliseconds, and the maximum number of elements of the diff
 */
export async function scrollDiff(page: Page, pages: number): Promise<{ frame: number; elements: number }> {
  const box = await page.getByRole("region", { name: "Changes" }).boundingBox();
  if (!box) throw new Error("there are no changes");
  const frame = await longestFrame(page);
  let elements = 0;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let n = 0; n < pages; n++) {
    for (let step = 0; step < 8; step++) {
      await page.mouse.wheel(0, box.height / 8);
      await page.evaluate("new Promise(requestAnimationFrame)");
    }
    // Counted only occasionally, because counting also costs time.
    if (n % 20 === 0) elements = Math.max(elements, await page.evaluate(countElements));
  }
  return { frame: await frame(), elements };
}

/** Counts the diff's elements, including shadow roots. Runs in the page. */
function countElements(): number {
  const region = document.querySelector('[aria-label="Changes"]');
  const nodesOf = (root: Element | ShadowRoot): number =>
    [...root.querySelectorAll("*")].reduce(
      (sum, each) => sum + 1 + (each.shadowRoot ? nodesOf(each.shadowRoot) : 0),
      0,
    );
  return region ? nodesOf(region) : 0;
}
