import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

/**
 * Mounts a file system of this size at a new directory. Only root may do that; otherwise this returns false, and there
 * is just the directory.
 */
export async function mountSmallDisk(path: string, bytes: number): Promise<boolean> {
  await mkdir(path, { recursive: true });
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "grove-test", path]);
  } catch {
    return false;
  }
  onTestFinished(async () => void (await run("umount", ["--lazy", path])));
  return true;
}
