import { CommandFailure } from "../../errors";
import { exitsWithZero, type Git, GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";

/** A pointer file is smaller than this. @see https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
const POINTER_BYTES = 1_024;
const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/;
/** How many objects one call of git-lfs gets, so that its command line stays short. */
const OBJECTS = 500;

/**
 * Uploads the files that commits keep in Git LFS and that a remote does not have. In a push by hand, the hook pre-push
 * does this.
 * @throws {CommandFailure} `lfs_missing` if git-lfs is not installed, or cannot upload them
 */
export async function uploadLfs(
  { git }: Pick<OpenWorktree, "git">,
  { commit, remote }: { commit: string; remote: string },
  signal: AbortSignal,
): Promise<void> {
  const attributes = ["grep", "-q", "--fixed-strings", "-e", "filter=lfs", commit, "--"];
  const isUsed = exitsWithZero(
    git([...attributes, ":(glob).gitattributes", ":(glob)**/.gitattributes"], { signal }),
  );
  if (!(await isUsed)) return;
  const oids = await pointersIn(git, { commit, remote }, signal);
  if (oids.length === 0) return;
  const isInstalled = await git(["lfs", "version"], { signal }).then(
    () => true,
    () => false,
  );
  if (!isInstalled)
    throw new CommandFailure(
      "lfs_missing",
      `The commits have ${oids.length} files in Git LFS, and git-lfs is not installed on the device, so nothing was pushed. Install it there, then try again.`,
    );
  try {
    for (let at = 0; at < oids.length; at += OBJECTS)
      await git(["lfs", "push", "--object-id", remote, ...oids.slice(at, at + OBJECTS)], { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    throw new CommandFailure(
      "lfs_missing",
      `git-lfs could not upload the files of the commits, so nothing was pushed: ${error.stderr.trim() || error.message}`,
    );
  }
}

/** The ids of the LFS objects that the new commits name. */
async function pointersIn(
  git: Git,
  { commit, remote }: { commit: string; remote: string },
  signal: AbortSignal,
): Promise<string[]> {
  const small = `--filter=blob:limit=${POINTER_BYTES}`;
  const range = ["--objects", "--no-object-names", small, commit, "--not", `--remotes=${remote}`];
  const objects = await git(["rev-list", ...range], { signal });
  const read = ["cat-file", "--batch", "--buffer"];
  const contents = await git(read, { input: objects, encoding: "latin1", signal });
  const found = new Set<string>();
  for (let at = 0; at < contents.length; ) {
    const end = contents.indexOf("\n", at);
    // "<id> <type> <size>"
    const [, type, size] = contents.slice(at, end).split(" ");
    const content = contents.slice(end + 1, end + 1 + Number(size));
    const oid = type === "blob" ? POINTER.exec(content)?.[1] : undefined;
    if (oid !== undefined) found.add(oid);
    at = end + 1 + Number(size) + 1;
  }
  return [...found];
}
