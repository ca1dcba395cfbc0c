import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Enough for a path and a few words. */
const MAX_BYTES = 8 * 1024;

/** Reads a small plain file. Follows no link, and waits for no pipe. Undefined if there is no such file. */
export async function readSmallFile(path: string): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return undefined;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= MAX_BYTES ? await file.readFile("utf8") : undefined;
  } finally {
    await file.close();
  }
}
