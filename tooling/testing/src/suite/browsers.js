/// <reference path="./context.d.ts" />
import { configDefaults } from "vitest/config";
import { presentChromiums } from "../chromium/present.js";

/** @typedef {import("vitest/config").TestProjectConfiguration} Project */

/**
 * The files of a suite: those that need no browser, and those that run in one browser even if the machine has two.
 * `globalSetup` is run for each browser.
 * @typedef {{ plain: string[], inOne?: string[], globalSetup?: string[] }} BrowserFiles
 */

/**
 * The vitest projects of a suite that drives a browser: `bundled` and `installed`, each if its browser is available,
 * and `plain` for the files that need none. A file reads its browser with `inject("browser")`.
 * @param {BrowserFiles} files
 * @returns {Project[]}
 */
export function browserProjects({ plain, inOne = [], globalSetup }) {
  const present = presentChromiums();
  // The bundled one is without windows, and so takes half the processor time.
  const first = present.includes("bundled") ? "bundled" : present[0];
  if (present.length === 0)
    process.stderr.write("There is no Chromium, so nothing is tested that drives one. See CHROMIUM_PATH.\n");
  return [
    { extends: true, test: { name: "plain", include: plain } },
    ...present.map((browser) => ({
      extends: /** @type {const} */ (true),
      test: {
        name: browser,
        provide: { browser },
        globalSetup,
        exclude: [...configDefaults.exclude, ...plain, ...(browser === first ? [] : inOne)],
      },
    })),
  ];
}

/**
 * The files to exclude when only some files of a suite need a browser: all of these if there is no browser.
 * @param {string[]} files
 */
export const unlessBrowser = (files) => (presentChromiums().length === 0 ? files : []);
