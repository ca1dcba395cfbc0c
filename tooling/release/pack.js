/** `node pack.js <directory>`: packs what is published, as it is built, into tarballs in an existing directory. */

import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { published } from "./published.js";

const root = join(import.meta.dirname, "../..");
const [directory = "."] = process.argv.slice(2);
const command = [
  ...[
    "--yes",
    "--prefer-offline",
    "pnpm@12.21.0",
    `--config.pnpmfile=${join(import.meta.dirname, "manifest.mjs")}`,
  ],
  // One after another, since packing puts files into folders that the next packs too.
  ...["--recursive", "--workspace-concurrency=1", ...published.map((folder) => `--filter=./${folder}`)],
  ...["pack", "--pack-destination", resolve(directory)],
];
execFileSync("npx", command, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
