/**
 * `npm start` and `npm run demo`: installs and builds what the launcher needs, then runs it in this process.
 * `node start.js <command of the launcher> …`
 */

import { hasGit, requireNode } from "./machine.js";
import { main, say } from "./main.js";
import { build, install } from "./prepare.js";
import { createRunner, root } from "./runner.js";

await main(async () => {
  requireNode();
  if (!hasGit())
    say("git is not installed. Grove starts without it, but cannot make workspaces until it is.");
  const runner = createRunner();
  await install(runner, "start");
  await build(runner, ["--filter=@grove/grove...", "--filter=@grove/web"]);
  runner.release();
  const launcher = `${root}/apps/grove/dist/main.js`;
  process.argv.splice(1, 1, launcher);
  await import(launcher);
});
