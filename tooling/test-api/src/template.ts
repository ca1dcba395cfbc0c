import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { listening, program, startApi } from "./program";

const cache = fileURLToPath(new URL("../node_modules/.cache/grove/", import.meta.url));

/**
 * Puts the empty, migrated database that the API would make into a data directory: initdb takes most of an API's first
 * start.
 */
export async function copyDatabase(dataDir: string): Promise<void> {
  // The program does not bundle PGlite; the lock file pins it.
  const lock = new URL("../../../pnpm-lock.yaml", import.meta.url);
  const hash = createHash("sha256")
    .update(await readFile(program))
    .update(await readFile(lock));
  const template = join(cache, hash.digest("hex").slice(0, 16));
  if (!existsSync(template)) await makeTemplate(template);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await cp(template, join(dataDir, "pgdata"), { recursive: true });
}

/**
 * Makes the template. Several workers may do this at the same time: each renames a complete directory, and the first
 * one stays.
 */
async function makeTemplate(template: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  // Old templates have 40 MB each, and are useless once the program has changed.
  for (const name of await readdir(cache))
    if (name !== basename(template) && !name.startsWith("draft-"))
      await rm(join(cache, name), { recursive: true, force: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    const api = startApi({ DATA_DIR: draft, PORT: "0" });
    await listening(api);
    await api.end("SIGTERM");
    await rename(join(draft, "pgdata"), template).catch((error) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
