/** Packs the built agent into `dist/grove-device.tgz`, which the API offers to machines for download. */

import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";

const { dirname } = import.meta;
const dist = join(dirname, "dist");
const name = execFileSync("npm", ["pack", "--silent", "--pack-destination", dist], {
  cwd: dirname,
  encoding: "utf8",
});
renameSync(join(dist, name.trim()), join(dist, "grove-device.tgz"));
