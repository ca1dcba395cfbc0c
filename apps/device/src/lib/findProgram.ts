import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

export interface FoundProgram {
  path: string;
  modifiedMs: number;
}

/** Finds the executable file of a program's name (or absolute path) on a PATH. */
export async function findProgram(name: string, path: string | undefined): Promise<FoundProgram | undefined> {
  if (isAbsolute(name)) return executable(name);
  if (name.includes("/")) return undefined;
  for (const directory of (path ?? "").split(delimiter)) {
    // An empty or relative entry would depend on the device agent's working directory.
    if (!isAbsolute(directory)) continue;
    const found = await executable(join(directory, name));
    if (found) return found;
  }
  return undefined;
}

async function executable(path: string): Promise<FoundProgram | undefined> {
  try {
    const found = await stat(path);
    await access(path, constants.X_OK);
    return found.isFile() ? { path, modifiedMs: found.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}
