import { lstat, opendir } from "node:fs/promises";
import { type FileKind, type ListedFile, MAX_LISTED } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { realPathInside } from "../../files/openInside";
import { bytePath } from "../../git/diff/contentId";
import { type RawName, shown } from "../../git/diff/rawNames";
import { answerOf } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { findWorkspace } from "../../home/workspaces";
import { isErrno } from "../../lib/fileSystem";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

/** A directory with more entries is read no further. */
const MAX_ENTRIES_READ = 20_000;

/** list_files: lists a directory of the worktree, and which of its entries git ignores. */
export const listFilesTool = (deps: ToolDeps): Tool<"list_files"> => ({
  async run({ workspaceId, directory = "" }, { signal }) {
    const tree = await openWorkspace(deps, await findWorkspace(deps, workspaceId));
    const path = await realPathInside(tree.path, directory);
    const found = await readEntries(path, signal);
    // A program in the worktree may have replaced the directory by a link in the meantime.
    if ((await realPathInside(tree.path, directory)) !== path)
      throw new CommandFailure("file_not_found", `${directory} has just been replaced. Try again.`);
    const listed = found.entries.toSorted(inOrder).slice(0, MAX_LISTED.entries);
    const ignored = await ignoredAmong(tree, directory, listed, signal);
    const entries: ListedFile[] = [];
    for (const { name, kind } of listed) {
      signal.throwIfAborted();
      const size = kind === "file" ? await sizeOf(path, name) : null;
      entries.push({
        name: shown(name),
        kind: await kindOf(path, name, kind),
        size,
        ignored: ignored.has(name),
      });
    }
    return { entries, truncated: !found.isAll || listed.length < found.entries.length };
  },
});

interface Entry {
  name: RawName;
  kind: FileKind;
}

/** Directories first, then by name. */
const inOrder = (one: Entry, other: Entry): number =>
  Number(other.kind === "directory") - Number(one.kind === "directory") || one.name.localeCompare(other.name);

async function readEntries(path: string, signal: AbortSignal): Promise<{ entries: Entry[]; isAll: boolean }> {
  const entries: Entry[] = [];
  try {
    for await (const entry of await opendir(path, { encoding: "latin1" })) {
      signal.throwIfAborted();
      if (entries.length === MAX_ENTRIES_READ) return { entries, isAll: false };
      if (entry.name === ".git") continue;
      const kind = entry.isFile()
        ? "file"
        : entry.isDirectory()
          ? "directory"
          : entry.isSymbolicLink()
            ? "link"
            : "other";
      entries.push({ name: entry.name, kind });
    }
    return { entries, isAll: true };
  } catch (error) {
    if (isErrno(error, "ENOTDIR")) throw new CommandFailure("not_a_directory", "This is not a directory.");
    if (isErrno(error, "EACCES", "EPERM"))
      throw new CommandFailure("file_unreadable", "The user of grove-device may not read this directory.");
    throw error;
  }
}

/** The names that git ignores. */
async function ignoredAmong(
  { git }: OpenWorktree,
  directory: string,
  entries: readonly Entry[],
  signal: AbortSignal,
): Promise<Set<RawName>> {
  if (entries.length === 0) return new Set();
  const prefix = directory === "" ? "./" : `${Buffer.from(directory).toString("latin1")}/`;
  const input = entries.map(({ name }) => `${prefix}${name}`).join("\0");
  const listed = await answerOf(
    git(["check-ignore", "--stdin", "-z"], { signal, encoding: "latin1", input }),
  );
  return new Set((listed ?? "").split("\0").map((path) => path.slice(prefix.length)));
}

/** The size of a file that may be gone by now. */
const sizeOf = (path: string, name: RawName): Promise<number | null> =>
  lstat(bytePath(path, name)).then(
    ({ size }) => size,
    () => null,
  );

/** A directory with a `.git` is another repository. */
const kindOf = async (path: string, name: RawName, kind: FileKind): Promise<FileKind> =>
  kind === "directory" && (await lstat(bytePath(path, `${name}/.git`)).catch(() => undefined))
    ? "submodule"
    : kind;
