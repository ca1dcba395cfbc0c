import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OpenWorktree } from "./openWorktree";
import { isRegenerable, isRegenerableFile } from "./regenerable";
import { readIgnored } from "./status";

/** The most entries of ignored directories that are read. */
const MAX_ENTRIES = 20_000;

/**
 * Yields the ignored files that no tool makes again, without links and empty files, which hold nothing. A directory
 * that is unreadable, or too large to read, is yielded itself, with a slash at the end.
 */
export async function* irreplaceableFiles(tree: OpenWorktree, signal?: AbortSignal): AsyncGenerator<string> {
  const waiting = (await readIgnored(tree, signal)).reverse();
  let entries = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    signal?.throwIfAborted();
    const place = join(tree.path, path);
    if (!path.endsWith("/")) {
      const found = await lstat(place).catch(() => undefined);
      if (found?.isFile() && found.size > 0 && !isRegenerableFile(path)) yield path;
    } else if (!(await isRegenerable(place))) {
      const inside = await readdir(place, { withFileTypes: true }).catch(() => undefined);
      entries += inside?.length ?? 0;
      if (!inside || entries > MAX_ENTRIES) yield path;
      else
        for (const entry of inside.sort((one, other) => (one.name < other.name ? 1 : -1)))
          if (entry.isDirectory()) waiting.push(`${path}${entry.name}/`);
          else if (entry.isFile()) waiting.push(`${path}${entry.name}`);
    }
  }
}
