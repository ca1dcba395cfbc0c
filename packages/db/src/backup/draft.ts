import { createHash, randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** After this time, another machine's draft counts as left by a killed backup. */
const ABANDONED_MS = 24 * 3_600_000;

const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
const named = /^\..+\.([\da-f]{8})-(\d+)-[\da-f]{8}\.part$/;
const ownDrafts = new Set<string>();

/**
 * The file that becomes the backup `path` once it is complete. Its name contains the machine and the process that write
 * it, so that the next backup on that machine can remove the drafts of killed processes.
 * @returns a path in the same directory, and a function that removes the file if it still exists
 */
export async function makeDraft(path: string): Promise<{ draft: string; end: () => Promise<void> }> {
  await removeAbandoned(dirname(path));
  const name = `.${basename(path)}.${machine}-${process.pid}-${randomUUID().slice(0, 8)}.part`;
  const draft = join(dirname(path), name);
  ownDrafts.add(name);
  const end = async () => {
    ownDrafts.delete(name);
    await rm(draft, { force: true });
  };
  return { draft, end };
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    if (await isAbandoned(directory, name)) await rm(join(directory, name), { force: true });
}

async function isAbandoned(directory: string, name: string): Promise<boolean> {
  const [, where, pid] = named.exec(name) ?? [];
  if (pid === undefined || ownDrafts.has(name)) return false;
  // A container's process may have the process id of its predecessor.
  if (where === machine) return Number(pid) === process.pid || !isAlive(Number(pid));
  const found = await stat(join(directory, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
