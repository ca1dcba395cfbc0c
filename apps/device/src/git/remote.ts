import { asks, type Git, GitError } from "./run";

/** A remote that has not answered by then is not waited for. */
const PATIENCE_MS = 8_000;

/**
 * Which of these branches `origin` has now, whatever was fetched before; none where there is no origin.
 * @returns undefined when origin cannot be asked
 * @throws the signal's reason when aborted
 */
export async function branchesAtOrigin(
  git: Git,
  repository: string,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<string[] | undefined> {
  if (!(await hasOrigin(git, repository))) return [];
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const either = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const listed = await git(["ls-remote", "--heads", "--", "origin", ...refs], {
      cwd: repository,
      signal: either,
    });
    // "<commit>\trefs/heads/<branch>". A pattern also matches the end of a longer name.
    const found = new Set(listed.split("\n").map((line) => line.slice(line.indexOf("\t") + 1)));
    return branches.filter((branch) => found.has(`refs/heads/${branch}`));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitError || either.aborted) return undefined;
    throw error;
  }
}

/** Fetches one branch of `origin`, as whose `refs/remotes/origin/…` it is then known. */
export async function fetchBranch(
  git: Git,
  repository: string,
  branch: string,
  signal: AbortSignal,
): Promise<void> {
  const refspec = `+refs/heads/${branch}:refs/remotes/origin/${branch}`;
  const quiet = ["--quiet", "--no-tags", "--no-recurse-submodules"];
  await git(["fetch", ...quiet, "--end-of-options", "origin", refspec], { cwd: repository, signal });
}

const hasOrigin = (git: Git, repository: string): Promise<boolean> =>
  asks(git(["config", "--get", "remote.origin.url"], { cwd: repository }));
