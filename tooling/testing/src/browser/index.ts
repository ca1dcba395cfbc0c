import { source } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { startChromium } from "../chromium";
import type { Kind } from "../chromium/present.js";

export type { Browser, BrowserContext, Locator, Page, Route } from "playwright-core";

/**
 * Starts a Chromium and connects Playwright to it. It ends with this process at the latest.
 * @param options.plain pages of the first context are hidden while their window is minimized, as for a person.
 * Playwright makes all other pages report that they are visible
 */
export async function openBrowser(
  kind?: Kind,
  { plain = false } = {},
): Promise<{ browser: Browser; close(): Promise<void> }> {
  const program = await startChromium(kind === undefined ? {} : { kind });
  const browser = await chromium.connectOverCDP(program.url, { noDefaults: plain });
  return {
    browser,
    close: async () => {
      await browser.close();
      await program.stop();
    },
  };
}

/** The part of axe's result that is used here. */
interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * The violations of WCAG 2.2 A and AA that axe finds in a page, each as a sentence with its first element.
 * @param rules by default, all of these levels
 */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  // The page's own policy forbids a script element.
  await page.evaluate(source);
  const violations = await page.evaluate<Violation[]>(
    // Without this, axe adds styles to the page in order to read those of shadow roots. The page's policy forbids that.
    `axe.run({ runOnly: ${JSON.stringify(rules ?? levels)}, preload: false }).then(({ violations }) => violations)`,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help} (${nodes[0]?.target.join(" ")}: ${nodes[0]?.failureSummary ?? ""})`,
  );
}
