import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "./program";

/**
 * Writes the output of each program into a file of its own (`api 0.log`), in a new directory that nothing removes.
 * @param programs by their kind
 * @returns the directory
 */
export async function keepLogs(
  programs: Readonly<Record<string, readonly Pick<Program, "output">[]>>,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "grove-soak-"));
  for (const [kind, ofKind] of Object.entries(programs))
    for (const [n, { output }] of ofKind.entries())
      await writeFile(join(directory, `${kind} ${n}.log`), output);
  return directory;
}
