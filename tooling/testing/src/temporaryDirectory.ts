import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Makes a directory whose name deliberately has a space and a letter beyond ASCII.
 * @param removeAfter by default, the directory is removed after the test; with `afterAll`, after the file's tests
 */
export async function temporaryDirectory(
  removeAfter: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "grove tést ")));
  removeAfter(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}
