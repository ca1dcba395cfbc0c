import { cpus } from "node:os";

/** @typedef {import("./runner.js").Runner} Runner */

// Without --prefer-offline, npx asks the registry about pnpm each time, and waits a minute where there is no network.
const pnpm = ["npx", "--yes", "--prefer-offline", "pnpm@12.21.0"];
const turbo = [...pnpm, "exec", "turbo", "run"];
const buildEnvironment = {
  TURBO_TELEMETRY_DISABLED: "1",
  // Part of turbo's cache keys: results of another version of Node do not count.
  NODE_VERSION: process.version,
  // Otherwise pnpm would install before each script what `start` leaves out on purpose.
  pnpm_config_verify_deps_before_run: "false",
};

/** The packages that `start` builds and runs. The others are for tests and checks. */
const startFilters = [
  ...["grove", "api", "device", "mcp-cloud", "web", "tsup", "tsconfig"].map(
    (name) => `--filter=@grove/${name}`,
  ),
  "--filter=./packages/*",
  // The checksums of the lock file are enough here. `npm test` also asks the registry for the age of each version,
  // which downloads more than the packages themselves.
  "--config.trustLockfile=true",
];

const installing = {
  doing: "Installing",
  done: "Installed",
  detail: (/** @type {string} */ output) => {
    const added = [...output.matchAll(/^Progress: .* added (\d+)/gm)].pop();
    return added && added[1] !== "0" ? `${added[1]} packages` : undefined;
  },
};

const building = {
  doing: "Building",
  done: "Built",
  detail: (/** @type {string} */ output) => {
    const begun = [...output.matchAll(/^@grove\/([\w-]+):build: cache /gm)].pop();
    return begun ? begun[1] : undefined;
  },
};

/** Installs what is not installed yet. @param {Runner} runner @param {"start" | "everything"} what */
export const install = (runner, what) =>
  runner.run([...pnpm, "install", "--reporter=append-only", ...(what === "start" ? startFilters : [])], {
    shown: installing,
  });

/** Builds what has changed. @param {Runner} runner @param {string[]} [filters] by default, everything */
export const build = (runner, filters = []) =>
  runner.run([...turbo, "build", ...filters], { shown: building, env: buildEnvironment });

/** Three suites at least: while one mostly waits, the others keep the processors busy. */
const suitesAtATime = Math.max(3, Math.floor(cpus().length / 4));

/** Tests what has changed. @param {Runner} runner @param {string[]} args turbo's */
export const test = (runner, args) =>
  runner.run(
    [...turbo, "test", `--concurrency=${suitesAtATime}`, "--continue=dependencies-successful", ...args],
    { env: buildEnvironment },
  );
