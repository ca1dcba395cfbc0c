import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("program.js", import.meta.url));

/** An event of opencode. */
export interface OpencodeEvent {
  type: string;
  properties: Record<string, unknown>;
}

/**
 * Writes a program named `opencode` into a directory. It emits the events that its prompt lists to its plugins.
 * @returns its path
 */
export async function writeScriptedOpencode(directory: string): Promise<string> {
  const path = join(directory, "opencode");
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}
