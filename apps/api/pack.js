/**
 * `node pack.js before` puts what the API serves beside the program, for its tarball: the console, and the device
 * agent. `node pack.js after` removes it again. A program in a clone never reads it.
 */

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";

const at = (/** @type {string} */ path) => join(import.meta.dirname, path);
const served = [
  { from: "../web/dist", to: "dist/console" },
  { from: "../device/dist/grove-device.tgz", to: "dist/grove-device.tgz" },
];

for (const { from, to } of served)
  if (process.argv[2] === "before")
    // Vite's manifest is for tests only.
    cpSync(at(from), at(to), { recursive: true, filter: (path) => !path.endsWith(".vite") });
  else rmSync(at(to), { recursive: true, force: true });
