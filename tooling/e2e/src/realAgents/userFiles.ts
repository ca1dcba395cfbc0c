import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Files that configure an agent. Agents keep their own state and packages beside them. */
const CONFIGURATION =
  /^\.(claude|codex|gemini|config\/opencode)\/(settings|config|hooks|opencode|plugin\/|trustedFolders)/;

/** The content of each file in which the user configures agents, by its path in the home. */
export async function readUserFiles(home: string): Promise<Record<string, string>> {
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
    .filter((path) => CONFIGURATION.test(path))
    .sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(home, path), "utf8")])),
  );
}
