/// <reference path="./context.d.ts" />
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { browserProjects } from "./browsers.js";
import { startingWith } from "./order.js";
import { UnhandledErrors } from "./unhandledErrors.js";

export { unlessBrowser } from "./browsers.js";

/** @typedef {import("vitest/config").TestProjectConfiguration} Project */

/**
 * The needs of a suite. Vitest's own options may stand beside them, and override those of the preset.
 * @typedef {object} Needs
 * @property {boolean | { onPostgres: string[] }} [engines] runs every file on both database engines, except
 * the files `onPostgres`
 * @property {import("./browsers.js").BrowserFiles} [browsers] runs every file on each available browser, the files
 * `inOne` on one of them, and the files `plain` without any
 * @property {import("vitest/config").ViteUserConfig["plugins"]} [plugins] Vite plugins, for modules that a bundler
 * makes
 * @property {string[]} [first] the files that take long and mostly wait, by the ends of their paths; they start first
 */

/**
 * The vitest configuration of a package.
 *
 * With `engines`, every test file runs twice, in the projects `pglite` and `postgres`. A file with an engine's name in
 * its own name (`open-pglite.test.ts`) or as the name of its folder runs only on that engine. A file gets its engine by
 * `inject("engine")`; `useTestDatabase` of @grove/db/testing does that. One PostgreSQL is started for a run, and only
 * if a file needs it. `--project pglite` runs only one engine.
 * @param {Needs & Omit<NonNullable<import("vitest/config").ViteUserConfig["test"]>, "projects">} [options]
 */
export const defineSuite = ({ engines = false, browsers, first = [], exclude = [], plugins, ...test } = {}) =>
  defineConfig({
    plugins,
    test: {
      pool: "forks",
      // The files of a worker share its modules, and so its embedded database, which costs seconds and 250 MB, and its
      // browser.
      isolate: false,
      // Many tests wait for processes and timers, so `npm test` runs several suites at a time, also on a small machine.
      // A worker costs seconds, for the modules and the database that it loads.
      maxWorkers: Math.min(4, Math.max(2, Math.floor(availableParallelism() / 2))),
      // Tests wait for states, not for time. These limits only end tests that hang, even on a machine under ten times
      // the load.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      teardownTimeout: 30_000,
      expect: { poll: { timeout: 60_000 } },
      // A failure message shows the whole value, such as a list of defects or a screen.
      chaiConfig: { truncateThreshold: 4_000 },
      exclude: [...configDefaults.exclude, ...exclude],
      sequence: { sequencer: startingWith(first) },
      ...(process.env.TEST_REPORTS && { reporters: reporters(process.env.TEST_REPORTS) }),
      ...(engines && { projects: [onPGlite(engines === true ? [] : engines.onPostgres), onPostgres] }),
      ...(browsers && { projects: browserProjects(browsers) }),
      ...test,
    },
  });

/**
 * Reporters that write the results of this run where `.ci/run` reads them.
 * @param {string} directory
 * @returns {import("vitest/node").InlineConfig["reporters"]}
 */
const reporters = (directory) => {
  const file = join(directory, `${basename(process.cwd())}.${process.pid}`);
  return ["default", ["json", { outputFile: `${file}.json` }], new UnhandledErrors(`${file}.errors`)];
};

/** @param {string[]} others files that do not run on it @returns {Project} */
const onPGlite = (others) => ({
  extends: true,
  test: {
    name: "pglite",
    provide: { engine: "pglite" },
    exclude: [...configDefaults.exclude, "**/*postgres*.test.ts", "**/postgres/**", ...others],
  },
});

/** @type {Project} */
const onPostgres = {
  extends: true,
  test: {
    name: "postgres",
    provide: { engine: "postgres" },
    exclude: [...configDefaults.exclude, "**/*pglite*.test.ts", "**/pglite/**"],
    globalSetup: ["@grove/testing/postgres-setup"],
  },
};
