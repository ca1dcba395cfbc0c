/**
 * `node pack.js before` puts the programs that the launcher starts beside it, for its tarball, so that
 * one installation is enough. `node pack.js after` removes them again. A launcher in a clone does not use them.
 */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const at = (/** @type {string} */ path) => join(import.meta.dirname, path);
/** The files to pack for each program, including those that the API serves: source path to path in the tarball. */
const programs = {
  api: {
    "../api/dist": "dist",
    "../web/dist": "dist/console",
    "../device/dist/grove-device.tgz": "dist/grove-device.tgz",
  },
  device: {
    "../device/dist/main.js": "dist/main.js",
    "../device/dist/hook.cjs": "dist/hook.cjs",
    "../device/dist/opencode.js": "dist/opencode.js",
  },
  "mcp-cloud": { "../mcp-cloud/dist": "dist" },
};

rmSync(at("dist/programs"), { recursive: true, force: true });
if (process.argv[2] === "before")
  for (const [program, files] of Object.entries(programs)) {
    const to = at(`dist/programs/${program}`);
    mkdirSync(to, { recursive: true });
    const { name, version, type, bin } = JSON.parse(readFileSync(at(`../${program}/package.json`), "utf8"));
    writeFileSync(join(to, "package.json"), JSON.stringify({ name, version, private: true, type, bin }));
    // Vite's manifest is for tests only, and a code cache for the very Node that made it.
    const filter = (/** @type {string} */ file) => !/\.vite$|program\.cache$/.test(file);
    for (const [from, path] of Object.entries(files))
      cpSync(at(from), join(to, path), { recursive: true, filter });
  }
