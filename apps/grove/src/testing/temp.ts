import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new directory, removed after the test. On purpose, its name has a space and a letter beyond ASCII. */
export async function temporaryDirectory(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "grove löcal ")));
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 3 }));
  return path;
}
