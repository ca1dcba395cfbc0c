import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { commandName } from "../../env";
import { CommandFailure } from "../../errors";
import { isRepository } from "../../git/locate";
import { absolutePath } from "../../home/userPath";
import { isErrno } from "../../lib/fileSystem";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { requireOwner } from "../requireOwner";

const MAX_DIRECTORIES = 50;
/** A directory with more entries is read no further. */
const MAX_ENTRIES = 20_000;

/**
 * list_directories: completes a path, for the device's owner. Hidden directories are listed only if the last part of
 * the path begins with a dot. A path that leads nowhere has no completions.
 */
export const listDirectoriesTool = ({ programEnv }: ToolDeps): Tool<"list_directories"> => ({
  async run({ path }, { requester, signal }) {
    await requireOwner(requester, "see its directories");
    const typed = path === "" || path === "~" ? "~/" : path;
    const parent = typed.slice(0, typed.lastIndexOf("/") + 1);
    const directory = absolutePath(parent, programEnv);
    const names = await readNames(directory, typed.slice(parent.length), signal);
    const directories = [];
    for (const name of names.toSorted((a, b) => a.localeCompare(b))) {
      if (directories.length > MAX_DIRECTORIES) break;
      signal.throwIfAborted();
      const at = join(directory, name);
      if (!(await isDirectory(at))) continue;
      directories.push({ path: `${parent}${name}`, isRepository: await isRepository(at) });
    }
    return {
      directories: directories.slice(0, MAX_DIRECTORIES),
      truncated: directories.length > MAX_DIRECTORIES,
      command: commandName(),
    };
  },
});

/** The names that begin with a text, ignoring case, of directories and of links that may lead to one. */
async function readNames(directory: string, beginning: string, signal: AbortSignal): Promise<string[]> {
  const wanted = beginning.toLowerCase();
  const names = [];
  let entries = 0;
  try {
    for await (const entry of await opendir(directory)) {
      signal.throwIfAborted();
      if (++entries > MAX_ENTRIES) break;
      const { name } = entry;
      if (!name.toLowerCase().startsWith(wanted) || (name.startsWith(".") && wanted === "")) continue;
      if (entry.isDirectory() || entry.isSymbolicLink()) names.push(name);
    }
    return names;
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return [];
    if (isErrno(error, "EACCES", "EPERM"))
      throw new CommandFailure("directory_unreadable", `The user of grove-device may not read ${directory}.`);
    throw error;
  }
}

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
