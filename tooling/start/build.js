/** Installs and builds everything quietly, for the commands that follow it: `node build.js && …`. */

import { requireNode } from "./machine.js";
import { main } from "./main.js";
import { build, install } from "./prepare.js";
import { createRunner } from "./runner.js";

await main(async () => {
  requireNode();
  const runner = createRunner();
  await install(runner, "everything");
  await build(runner);
});
