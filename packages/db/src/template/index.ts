import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { openPGlite } from "../engines/pglite/pglite";
import { templateName } from "../engines/pglite/template";
import { migrate } from "../migrate";

export { templateName };

const migrations = fileURLToPath(new URL("../migrations", import.meta.url));
/** Migrations create partitions by it. */
const partitions = fileURLToPath(new URL("../partitions.ts", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/grove", import.meta.url));

/**
 * Returns the path of a packed, migrated database. Unpacking it takes a fifth of the time of initdb and the migrations.
 * It is built again when PGlite or a migration has changed.
 */
export async function templateFile(): Promise<string> {
  const hash = createHash("sha256");
  const files = (await readdir(migrations)).sort().map((name) => join(migrations, name));
  for (const file of [...files, partitions]) hash.update(await readFile(file));
  const path = join(cache, `${hash.digest("hex").slice(0, 16)}-${templateName}`);
  if (existsSync(path)) return path;
  await mkdir(cache, { recursive: true });
  // Several processes may do this at the same time: each renames a complete file.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, await packed());
  await rename(draft, path);
  // The others are of no use once the migrations have changed.
  for (const file of await readdir(cache))
    if (file.endsWith(".br") && file !== basename(path)) await rm(join(cache, file), { force: true });
  return path;
}

async function packed(): Promise<Buffer> {
  const { db, pglite } = await openPGlite();
  await migrate(db);
  // Then its first start has nothing to recover.
  await pglite.exec("checkpoint");
  const dump = await pglite.dumpDataDir("none");
  await db.destroy();
  // The three databases of a cluster are nearly the same. They are 10 MB apart, which only a large window sees.
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 6,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  return promisify(brotliCompress)(await dump.arrayBuffer(), { params });
}
