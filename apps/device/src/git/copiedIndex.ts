import { copyFile, mkdtemp, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isErrno } from "../lib/fileSystem";
import type { OpenWorktree } from "./worktree/openWorktree";

/** Copies a worktree's index for `work`, which may change the copy, and removes the copy afterwards. */
export async function withCopiedIndex<T>(
  { gitDir }: OpenWorktree,
  work: (indexFile: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "grove-index-"));
  try {
    const indexFile = join(directory, "index");
    await copyIndex(join(gitDir, "index"), indexFile);
    return await work(indexFile);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Copies git's index. Git takes a file for unchanged if its size and time are those in the index, unless it is as new
 * as the index itself. So the copy must not look newer; a little older only makes git read more.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtime } = await stat(from);
    await copyFile(from, to);
    const second = Math.floor(mtime.getTime() / 1_000);
    await utimes(to, second, second);
  } catch (error) {
    // There is none before the first file is added.
    if (!isErrno(error, "ENOENT")) throw error;
  }
}
