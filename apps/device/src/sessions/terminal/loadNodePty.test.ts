import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { loadNodePty } from "./loadNodePty";

const require = createRequire(import.meta.url);

it("loads the module from its real path when the file that the process examined last is a socket", async () => {
  const path = join(await temporaryDirectory(), "socket");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  // Node then knows the folders above the module, as in a program that has run for a while.
  require.resolve("./loadNodePty.test.ts");
  expect(statSync(path).isSocket()).toBe(true);
  const { spawn } = loadNodePty();
  const entry = realpathSync.native(
    join(import.meta.dirname, "../../../node_modules/@lydell/node-pty/index.js"),
  );
  expect(require.cache[entry]?.exports.spawn).toBe(spawn);
  server.close();
});
