import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("program.js", import.meta.url));

/** A step of the scripted Codex; `program.js` describes them. */
export type CodexStep =
  | { ask: string }
  | { print: string }
  | { key: true }
  | { stop: true }
  | { abort: true }
  | { limits: object };

/**
 * Writes a program named `codex` into a directory. It does what its prompt scripts, and runs hooks like Codex.
 * @returns its path
 */
export async function writeScriptedCodex(directory: string): Promise<string> {
  const path = join(directory, "codex");
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/** The prompt that makes the scripted Codex do these steps. */
export const codexScript = (...steps: CodexStep[]): string => JSON.stringify(steps);
