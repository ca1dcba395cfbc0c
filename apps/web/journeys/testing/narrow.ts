import type { Page } from "@grove/testing/browser";
import { expect } from "vitest";

/** The narrowest supported window: 1 280 pixels at a zoom of 400 % (WCAG 1.4.10). */
const NARROW = { width: 320, height: 640 };

/** Makes the window narrow, and expects that neither the page nor a table scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize(NARROW);
  const over = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll("section:has(> table)")].map(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      ),
    );
  await expect
    .poll(async () => Math.max(...(await over())), { message: `${page.url()} scrolls sideways` })
    .toBe(0);
}

/** Navigates to other pages without a reload, and expects the same of each. */
export async function expectNarrowPages(
  page: Page,
  pages: readonly (readonly [path: string, heading: string])[],
) {
  await page.setViewportSize(NARROW);
  for (const [path, heading] of pages) {
    await page.evaluate((to) => {
      history.pushState({}, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
    await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
    await expectNoSidewaysScroll(page);
  }
}
