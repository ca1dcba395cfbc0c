import { constants } from "node:fs";
import { copyFile, lstat, mkdir, realpath, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { CommandFailure } from "../../errors";
import { isErrno, isThere } from "../../lib/fileSystem";
import type { Git } from "../run";

export const INCLUDE_FILE = ".worktreeinclude";

/** Enough for env files and the like, but not for all of node_modules. */
const MAX_FILES = 10_000;
const MAX_BYTES = 512 * 1024 * 1024;

export interface CopyIncludedInput {
  /** The main work tree, from which files are copied. */
  repository: string;
  /** The new worktree. */
  path: string;
  /** A directory that is never copied from, even if it lies in the repository: GROVE_HOME holds keys. */
  except: string;
}

/** Whether a repository names files to be copied to new worktrees. */
export const hasIncludeFile = (repository: string): Promise<boolean> =>
  isThere(join(repository, INCLUDE_FILE));

/**
 * Copies the untracked files that `.worktreeinclude` of the main work tree names, in gitignore's syntax, into a new
 * worktree. Existing files stay. Links are followed only within the repository, and nothing is written through a link
 * in the worktree.
 * @returns the files that were not copied, each with the reason
 * @throws {CommandFailure} `include_too_large` for more than 10 000 files or 512 MiB; the signal's reason when aborted
 */
export async function copyIncluded(
  git: Git,
  { repository, path, except }: CopyIncludedInput,
  signal: AbortSignal,
): Promise<string[]> {
  const patterns = ["--others", "--ignored", `--exclude-from=${join(repository, INCLUDE_FILE)}`];
  const listed = await git(["ls-files", "-z", ...patterns], { cwd: repository, signal });
  const files = listed.split("\0").filter((file) => file !== "" && !isWithin(except, join(repository, file)));
  if (files.length > MAX_FILES) throw tooLarge(`${files.length} files, and at most ${MAX_FILES}`);
  const skipped: string[] = [];
  let bytes = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const source = await realpath(join(repository, file)).catch(() => undefined);
    const found = source === undefined ? undefined : await stat(source);
    if (source === undefined || !found || !isWithin(repository, source) || isWithin(except, source))
      skipped.push(`${file}: it is a symbolic link that points outside the repository or is broken`);
    // A repository within the repository is listed as a directory.
    else if (!found.isFile()) skipped.push(`${file}: it is not a regular file`);
    else {
      bytes += found.size;
      if (bytes > MAX_BYTES) throw tooLarge(`more than ${MAX_BYTES / 1024 / 1024} MiB, which`);
      const whyNot = await copyInto(path, file, source);
      if (whyNot !== undefined) skipped.push(`${file}: ${whyNot}`);
    }
  }
  return skipped;
}

async function copyInto(path: string, file: string, source: string): Promise<string | undefined> {
  if (!(await makeParents(path, file))) return "its directory in the worktree is not a plain directory";
  try {
    // EXCL keeps a file that the branch itself has. FICLONE copies as cheaply as a link if the file system supports it.
    await copyFile(source, join(path, file), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return undefined;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return undefined;
    throw error;
  }
}

/** Makes the directories above a file, unless one is a link or a file: the branch may contain anything there. */
async function makeParents(path: string, file: string): Promise<boolean> {
  let directory = path;
  for (const name of dirname(file).split(sep)) {
    directory = join(directory, name);
    const found = await lstat(directory).catch(() => undefined);
    if (!found) await mkdir(directory);
    else if (!found.isDirectory()) return false;
  }
  return true;
}

const isWithin = (directory: string, path: string): boolean =>
  path === directory || !/^\.\.($|\/)/.test(relative(directory, path));

const tooLarge = (what: string) =>
  new CommandFailure(
    "include_too_large",
    `The patterns of ${INCLUDE_FILE} name ${what} are copied into a new worktree. Narrow them.`,
  );
