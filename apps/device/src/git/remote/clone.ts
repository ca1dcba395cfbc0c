import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseRemoteUrl } from "@grove/schemas";
import { CommandFailure, isDiskFull } from "../../errors";
import { type Progress, reportPercentage } from "../progress";
import { type Git, GitError } from "../run";

/**
 * Clones a hosted repository to `path`, which appears only once the clone is complete.
 * @throws {CommandFailure} `invalid_repo_url` unless the URL is https, ssh or the scp form without credentials;
 * `clone_failed` with git's own message. The signal's reason when aborted, with nothing left behind
 */
export async function clone(
  git: Git,
  given: string,
  path: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const remote = parseRemoteUrl(given);
  if (remote === undefined || remote.credentials)
    throw new CommandFailure(
      "invalid_repo_url",
      // The URL is not repeated: it may hold a token, and this message is stored.
      "The project's repoUrl cannot be cloned: an https, ssh or user@host:path address without user name, password or token is needed. Change it with project.update.",
    );
  // git gets the address that was checked, not the one that was given.
  const { url } = remote;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const unfinished = join(dirname(path), `${UNFINISHED}${randomUUID()}`);
  progress(`Cloning ${url}`, 0);
  try {
    await git(
      ["clone", "--progress", "--origin", "origin", "--no-recurse-submodules", "--", url, unfinished],
      {
        protocols: "https:ssh",
        signal,
        onErrorLine: (line) => reportPercentage(line, progress),
      },
    );
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(error instanceof GitError) || isDiskFull(error)) throw error;
    throw new CommandFailure(
      "clone_failed",
      `${url} could not be cloned (${error.message}). The device uses its own user's git credentials; make 'git ls-remote ${url}' work there.`,
    );
  }
}

const UNFINISHED = ".unfinished-";

/** Removes the remains of clones that a crash cut off. A clone that git is still making is left for the next time. */
export async function removeUnfinishedClones(reposDir: string): Promise<void> {
  for (const name of await readdir(reposDir))
    if (name.startsWith(UNFINISHED))
      await rm(join(reposDir, name), { recursive: true, force: true }).catch(() => {});
}
