import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailure } from "../errors";
import { isErrno } from "../lib/fileSystem";

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The real path of a file or directory in a worktree, links resolved.
 * @param path relative, with slashes, and never upwards
 * @throws {CommandFailure} `file_not_found` for a missing file and for a path that leads out of the worktree
 */
export async function realPathInside(root: string, path: string): Promise<string> {
  const [realRoot, real] = await Promise.all([
    realpath(root),
    realpath(join(root, path)).catch(toFailure(path)),
  ]);
  if (real !== realRoot && !real.startsWith(`${realRoot}/`))
    throw new CommandFailure("file_not_found", `${path} leads out of the worktree.`);
  return real;
}

/**
 * Opens a plain file of a worktree. A program in the worktree may replace directories by links at any moment, so the
 * path is resolved again once the file is open.
 * @throws {CommandFailure} `file_not_found`, `file_unreadable`, `not_a_file`
 */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  const at = join(root, path);
  const link = await readlink(at).catch(() => undefined);
  if (link !== undefined) throw new CommandFailure("not_a_file", `${path} is a link to ${link}.`);
  const file = await open(at, FLAGS).catch(toFailure(path));
  try {
    const [opened, found] = await Promise.all([
      file.stat(),
      realPathInside(root, path).then((real) => stat(real)),
    ]);
    if (opened.ino !== found.ino || opened.dev !== found.dev)
      throw new CommandFailure("file_not_found", `${path} has just been replaced. Try again.`);
    if (opened.isFile()) return file;
    const kind = opened.isDirectory() ? "a directory" : "not a plain file";
    throw new CommandFailure("not_a_file", `${path} is ${kind}.`);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The failure that an error of the file system is for the caller. */
const toFailure =
  (path: string) =>
  (error: unknown): never => {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"))
      throw new CommandFailure("file_not_found", `There is no ${path} in the worktree.`);
    if (isErrno(error, "EACCES", "EPERM"))
      throw new CommandFailure("file_unreadable", `The user of grove-device may not read ${path}.`);
    if (isErrno(error, "ENXIO", "EOPNOTSUPP"))
      throw new CommandFailure("not_a_file", `${path} is not a plain file.`);
    throw error;
  };
