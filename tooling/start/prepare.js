/** @typedef {import("./runner.js").Runner} Runner */

const pnpm = ["npx", "--yes", "pnpm@12.21.0"];
const turbo = [...pnpm, "exec", "turbo", "run"];
const asInstalled = {
  TURBO_TELEMETRY_DISABLED: "1",
  // What another Node has built or tested is not taken for done.
  NODE_VERSION: process.version,
  // Otherwise pnpm installs what is missing before each script: also what was left out on purpose.
  pnpm_config_verify_deps_before_run: "false",
};

/** What `start` needs to be built and run; the rest is for tests and checks. */
const toStart = [
  ...["--filter-prod", "@grove/grove..."],
  ...["--filter", "./packages/*", "--filter", "@grove/tsup", "--filter", "@grove/tsconfig"],
  // The lock file says what is in each package. CI asks the registry whether a version is older than a day, too: that is
  // six times as much to download as the lock file's packages need.
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
  runner.run([...pnpm, "install", "--reporter=append-only", ...(what === "start" ? toStart : [])], {
    shown: installing,
  });

/** Builds what has changed. @param {Runner} runner @param {string[]} [filters] by default, everything */
export const build = (runner, filters = []) =>
  runner.run([...turbo, "build", ...filters], { shown: building, env: asInstalled });

/** Tests what has changed. @param {Runner} runner @param {string[]} args turbo's */
export const test = (runner, args) =>
  runner.run([...turbo, "test", "--concurrency=25%", "--continue=dependencies-successful", ...args], {
    env: asInstalled,
  });
