import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { useApi } from "@grove/test-api";
import { TestApi } from "@grove/test-api/api";
import {
  accessibilityProblems,
  type Browser,
  type BrowserContext,
  openBrowser,
  type Page,
} from "@grove/testing/browser";
import { afterEach, beforeAll, expect, inject } from "vitest";
import { expectNoSidewaysScroll } from "./narrow";

/** Defects that no page may have. */
interface Watched {
  page: Page;
  defects: string[];
  /** Console messages that the journey causes on purpose, such as for a refused call. */
  expected: RegExp[];
}

export interface Journey {
  readonly api: TestApi;
  /** Creates a browser profile, signed out. */
  visitor(options?: { isPhone?: boolean }): Promise<BrowserContext>;
  /** Opens a page in a profile, and watches it until the end of the test. */
  open(context: BrowserContext, path: string): Promise<Page>;
  /** Allows a console message on this page, such as for a call that is refused on purpose. */
  expectMessage(page: Page, pattern: RegExp): void;
}

/** A phone: its pointer is coarse. */
const PHONE = { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true };

/** How long a step waits for its state. Equal to the suite's poll timeout; it only ends a hanging test. */
const WAIT_MS = 60_000;

const results = fileURLToPath(new URL("../../test-results/", import.meta.url));

/** The worker's browsers, shared by its test files. Each user has a separate profile. */
const browsers = new Map<string, ReturnType<typeof openBrowser>>();

/**
 * For test files: the built console behind the real API, in a real browser. At the end of each test every open page is
 * checked: no accessibility violation in either theme, no scrolling sideways in a narrow window, no error in its
 * console, which includes violations of its content security policy, no request to another origin, and no motion,
 * because the browser prefers reduced motion.
 * @param env variables for a separate API of this file. Without them, uses the worker's shared API, which no file may
 * stop
 */
export function useJourney(env?: Record<string, string>): Journey {
  const api = env ? useApi(env) : workersApi();
  let browser: Browser | undefined;
  let contexts: BrowserContext[] = [];
  let watched: Watched[] = [];
  beforeAll(async () => {
    const kind = inject("browser");
    const opening = browsers.get(kind) ?? openBrowser(kind);
    browsers.set(kind, opening);
    ({ browser } = await opening);
  });
  afterEach(async ({ task }) => {
    const takePictures = async () => {
      for (const [index, { page }] of watched.entries()) await picture(page, `${task.name} ${index + 1}`);
    };
    try {
      // Before the pages are closed, which `onTestFailed` runs after.
      if (task.result?.state === "fail") await takePictures();
      for (const each of watched) await check(each);
    } catch (error) {
      // A failing screenshot must not hide the reason.
      await takePictures().catch(() => undefined);
      throw error;
    } finally {
      for (const context of contexts) await context.close();
      contexts = [];
      watched = [];
    }
  });
  return {
    api,
    visitor: async ({ isPhone = false } = {}) => {
      if (!browser) throw new Error("the browser did not start");
      const context = await browser.newContext({
        ...(isPhone ? PHONE : { viewport: { width: 1280, height: 800 } }),
        // Without a GPU, animations are rendered by the CPU.
        reducedMotion: "reduce",
      });
      context.setDefaultTimeout(WAIT_MS);
      contexts.push(context);
      return context;
    },
    open: async (context, path) => {
      const page = await context.newPage();
      const one: Watched = { page, defects: [], expected: [] };
      watched.push(one);
      page.on("pageerror", (error) => one.defects.push(`threw ${error.stack ?? error.message}`));
      page.on("console", (message) => {
        if (message.type() === "error")
          one.defects.push(`console: ${message.text()} ${message.location().url}`);
      });
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol.startsWith("http") && origin !== api.url) one.defects.push(`asked ${origin}`);
      });
      await page.goto(new URL(path, api.url).href);
      return page;
    },
    expectMessage: (page, pattern) => {
      watched.find((one) => one.page === page)?.expected.push(pattern);
    },
  };
}

/** The API that the files of this worker share. Vitest numbers its workers from 1. */
const workersApi = () => Object.assign(new TestApi(), inject("apis")[Number(process.env.VITEST_POOL_ID) - 1]);

/** The axe rules whose result depends on the theme. */
const rulesOfColours = ["color-contrast", "link-in-text-block"];

async function check({ page, defects, expected }: Watched): Promise<void> {
  if (page.isClosed()) return;
  await page.emulateMedia({ colorScheme: "light" });
  expect(await accessibilityProblems(page), page.url()).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  const inTheDark = await accessibilityProblems(page, rulesOfColours);
  expect(inTheDark, `${page.url()} in the dark theme`).toEqual([]);
  await expectNoSidewaysScroll(page);
  // A running transition ends soon; an animation does not.
  const moving = () => page.evaluate("document.getAnimations().length");
  await expect.poll(moving, { message: `${page.url()} moves` }).toBe(0);
  const unexpected = defects.filter((defect) => !expected.some((pattern) => pattern.test(defect)));
  expect(unexpected, page.url()).toEqual([]);
}

/** Leaves a screenshot of a failed test's page. */
async function picture(page: Page, name: string): Promise<void> {
  if (page.isClosed()) return;
  mkdirSync(results, { recursive: true });
  await page.screenshot({ path: `${results}${name.replaceAll(/\W+/g, "-")}.png` });
}
