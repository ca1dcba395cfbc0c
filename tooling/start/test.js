/**
 * `npm test`: installs everything, then builds and tests what has changed. `npm test -- --filter=@grove/db` tests one
 * package.
 */

import { hasGit, requireNode } from "./machine.js";
import { Failed, main } from "./main.js";
import { install, test } from "./prepare.js";
import { createRunner } from "./runner.js";

await main(async () => {
  requireNode();
  if (!hasGit()) throw new Failed("git is not installed, and the tests use it. Install git and try again.");
  const runner = createRunner();
  await install(runner, "everything");
  await test(runner, process.argv.slice(2));
});
