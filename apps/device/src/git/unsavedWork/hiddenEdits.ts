import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { OpenWorktree } from "../worktree/openWorktree";

/** Paths in one call of git, so that its command line stays short. */
const PATHS = 200;
/** The most marked files that are compared. The others count as edited, which only keeps them. */
const MAX_FILES = 2_000;

/**
 * The edited files that `git status` does not show, since they are marked "assume unchanged" or "skip worktree". A
 * sparse checkout marks files that do not exist; those are not edited.
 * @see https://git-scm.com/docs/git-update-index#_using_assume_unchanged_bit
 */
export async function hiddenEdits({ git, path }: OpenWorktree, signal?: AbortSignal): Promise<string[]> {
  const listed = (await git(["ls-files", "-v", "-z"], { signal })).split("\0");
  const marked: string[] = [];
  // A lower-case letter is "assume unchanged", S is "skip worktree".
  for (const line of listed) if (/^([a-z]|S) /.test(line)) marked.push(line.slice(2));
  const present: string[] = [];
  for (const file of marked) {
    const found = await lstat(join(path, file)).catch(() => undefined);
    if (found?.isFile()) present.push(file);
  }
  const edited = present.slice(MAX_FILES);
  for (let at = 0; at < Math.min(present.length, MAX_FILES); at += PATHS) {
    const files = present.slice(at, Math.min(at + PATHS, MAX_FILES));
    const staged = await git(
      ["ls-files", "--stage", "-z", "--", ...files.map((file) => `:(literal)${file}`)],
      {
        signal,
      },
    );
    const contents = (await git(["hash-object", "--", ...files], { signal })).trim().split("\n");
    const ids = new Map(
      staged.split("\0").map((line) => {
        const [about = "", file = ""] = line.split("\t");
        return [file, about.split(" ")[1]] as const;
      }),
    );
    edited.push(...files.filter((file, index) => ids.get(file) !== contents[index]));
  }
  return edited;
}
