import { configDefaults } from "vitest/config";
import { presentChromiums } from "./present.js";

/** @typedef {import("vitest/config").TestProjectConfiguration} Project */

/**
 * The vitest projects of a suite that drives a browser: `bundled` and `installed`, each where its browser is there, and
 * `plain` for the files that need none. A file learns its browser by `inject("browser")`.
 * @param {{ plain: string[] }} files
 * @returns {Project[]}
 */
export function browserProjects({ plain }) {
  const present = presentChromiums();
  if (present.length === 0)
    process.stderr.write("There is no Chromium, so nothing is tested that drives one. See CHROMIUM_PATH.\n");
  return [
    { extends: true, test: { name: "plain", include: plain } },
    ...present.map((browser) => ({
      extends: /** @type {const} */ (true),
      test: { name: browser, provide: { browser }, exclude: [...configDefaults.exclude, ...plain] },
    })),
  ];
}

/**
 * The files to exclude from a suite of which only these need a browser: all of them where there is none.
 * @param {string[]} files
 */
export const unlessBrowser = (files) => (presentChromiums().length === 0 ? files : []);
