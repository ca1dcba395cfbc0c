import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readlink } from "node:fs/promises";
import { DIFF_FILE_BYTES } from "@grove/schemas";
import type { RawName } from "./rawNames";

/** The path of a file in a directory, byte by byte. */
export const bytePath = (directory: string, name: RawName): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);

/**
 * Identifies a file's content as git would. A large file is identified by its size and time. Links are not
 * followed. Null if there is no such file.
 */
export async function contentId(path: Buffer, hash: "sha1" | "sha256"): Promise<string | null> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return null;
  const stamp = `${found.size}-${Math.trunc(found.mtimeMs)}`;
  if (found.isSymbolicLink())
    return blobId(await readlink(path, "buffer").catch(() => Buffer.from(stamp)), hash);
  if (!found.isFile() || found.size > DIFF_FILE_BYTES) return stamp;
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return stamp;
  try {
    const content = Buffer.alloc(found.size);
    const { bytesRead } = await file.read(content, 0, content.length, 0);
    return blobId(content.subarray(0, bytesRead), hash);
  } finally {
    await file.close();
  }
}

const blobId = (content: Buffer, hash: "sha1" | "sha256"): string =>
  createHash(hash).update(`blob ${content.length}\0`).update(content).digest("hex");
