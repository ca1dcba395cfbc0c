import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("program.js", import.meta.url));

/** A step of the scripted Gemini; `program.js` describes them. */
export type GeminiStep = { say: string } | { tool: string } | { ask: string } | { key: true };

/**
 * Writes a program named `gemini` into a directory. It does what its prompt scripts, and writes its record like Gemini
 * CLI.
 * @returns its path
 */
export async function writeScriptedGemini(directory: string): Promise<string> {
  const path = join(directory, "gemini");
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/** The prompt that makes the scripted Gemini do these steps. */
export const geminiScript = (...steps: GeminiStep[]): string => JSON.stringify(steps);
