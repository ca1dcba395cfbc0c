/** Packs the built agent into `dist/grove-device.tgz`, which the API offers to machines for download. */

import { execFileSync } from "node:child_process";

// pnpm, since it replaces the versions that the catalog holds. It runs this script, so PATH leads to it.
execFileSync("pnpm", ["pack", "--out", "dist/grove-device.tgz"], {
  cwd: import.meta.dirname,
  stdio: ["ignore", "ignore", "inherit"],
});
