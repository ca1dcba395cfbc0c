import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "../../lib/fileSystem";
import { readIgnored } from "../status";
import type { OpenWorktree } from "../worktree/openWorktree";
import { isRegenerable, isRegenerableFile } from "./regenerable";

/** The most entries of ignored directories that are read. */
const MAX_ENTRIES = 20_000;

/**
 * Yields the ignored files that no tool makes again, without links and empty files, which hold nothing. A directory
 * that is unreadable, or too large to read, is yielded itself, with a slash at the end. So is a repository inside a
 * directory that a tool makes again: it may hold commits of its own.
 */
export async function* irreplaceableFiles(tree: OpenWorktree, signal?: AbortSignal): AsyncGenerator<string> {
  const waiting = (await readIgnored(tree, signal)).reverse();
  let entries = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    signal?.throwIfAborted();
    const entryPath = join(tree.path, path);
    if (!path.endsWith("/")) {
      const found = await lstat(entryPath).catch(() => undefined);
      if (found?.isFile() && found.size > 0 && !isRegenerableFile(path)) yield path;
    } else if (await isRegenerable(entryPath)) {
      if (await isRepository(entryPath)) yield path;
      else for await (const inside of repositoriesIn(entryPath)) yield `${path}${inside}/`;
    } else {
      const inside = await readdir(entryPath, { withFileTypes: true }).catch(() => undefined);
      entries += inside?.length ?? 0;
      if (!inside || entries > MAX_ENTRIES) yield path;
      else
        for (const entry of inside.sort((one, other) => (one.name < other.name ? 1 : -1)))
          if (entry.isDirectory()) waiting.push(`${path}${entry.name}/`);
          else if (entry.isFile()) waiting.push(`${path}${entry.name}`);
    }
  }
}

/** Yields the repositories that are directly in a directory, or in a directory of it such as a scope of npm. */
async function* repositoriesIn(directory: string): AsyncGenerator<string> {
  let remaining = MAX_ENTRIES;
  for (const name of await directoriesIn(directory)) {
    if (--remaining < 0) return;
    const inside = await readdir(join(directory, name), { withFileTypes: true }).catch(() => []);
    if (inside.some((entry) => entry.name === ".git")) yield name;
    else
      for (const entry of inside) {
        if (!entry.isDirectory() || --remaining < 0) continue;
        if (await isRepository(join(directory, name, entry.name))) yield `${name}/${entry.name}`;
      }
  }
}

const isRepository = (directory: string): Promise<boolean> => isThere(join(directory, ".git"));

const directoriesIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
