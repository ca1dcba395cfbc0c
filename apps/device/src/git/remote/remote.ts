import { type Progress, reportPercentage } from "../progress";
import { whenUnlocked } from "../repositoryLocks";
import { exitsWithZero, type Git, GitError } from "../run";

/** How long to wait for a silent `origin`. Listing branches is quick. */
const LIST_SILENCE_MS = 8_000;
/** A fetch may take long, but not be silent for this long. */
const FETCH_SILENCE_MS = 30_000;

/** `origin` could not be reached, or refused. The message is a whole sentence. */
export class OriginError extends Error {}

/**
 * Asks which of these branches `origin` has now, regardless of earlier fetches; none if there is no origin.
 * @throws {OriginError}, or the signal's reason when aborted
 */
export async function branchesAtOrigin(
  git: Git,
  repository: string,
  branches: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (!(await exitsWithZero(git(["config", "--get", "remote.origin.url"], { cwd: repository })))) return [];
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const listed = await withOrigin(
    "origin's branches could not be listed",
    LIST_SILENCE_MS,
    signal,
    (limits) => git(["ls-remote", "--heads", "--", "origin", ...refs], { cwd: repository, ...limits }),
  );
  // "<commit>\trefs/heads/<branch>". A pattern also matches the end of a longer name.
  const found = new Set(listed.split("\n").map((line) => line.slice(line.indexOf("\t") + 1)));
  return branches.filter((branch) => found.has(`refs/heads/${branch}`));
}

/**
 * Fetches one branch of `origin` into its `refs/remotes/origin/…`.
 * @throws {OriginError}, or the signal's reason when aborted; {@link CommandFailure} `repository_locked`
 */
export async function fetchBranch(
  git: Git,
  repository: string,
  branch: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  progress(`Fetching '${branch}' from origin`);
  const refspec = `+refs/heads/${branch}:refs/remotes/origin/${branch}`;
  const fetch = ["fetch", ...FETCH_OPTIONS, "--no-tags", "--end-of-options", "origin", refspec];
  await withOrigin(
    `'${branch}' could not be fetched from origin`,
    FETCH_SILENCE_MS,
    signal,
    (limits) => whenUnlocked(() => git(fetch, { cwd: repository, ...limits }), signal),
    progress,
  );
}

/**
 * Fetches all branches of the `origin` of our own clone, and prunes deleted ones.
 * @param silenceMs how long git may be silent; 30 s by default
 * @throws {OriginError}, or the signal's reason when aborted
 */
export async function fetchOrigin(
  git: Git,
  repository: string,
  progress: Progress,
  signal: AbortSignal,
  silenceMs = FETCH_SILENCE_MS,
): Promise<void> {
  progress("Fetching from origin");
  await withOrigin(
    "origin could not be fetched",
    silenceMs,
    signal,
    (limits) =>
      git(["fetch", ...FETCH_OPTIONS, "--prune", "origin"], {
        cwd: repository,
        protocols: "https:ssh",
        ...limits,
      }),
    progress,
  );
}

const FETCH_OPTIONS = ["--progress", "--no-recurse-submodules"];

interface Limits {
  signal: AbortSignal;
  onErrorLine(line: string): void;
}

/** Runs git on `origin` until it ends or is silent for too long. */
async function withOrigin(
  failed: string,
  silenceMs: number,
  signal: AbortSignal,
  run: (limits: Limits) => Promise<string>,
  progress: Progress = () => {},
): Promise<string> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silenceMs);
  const onErrorLine = (line: string) => {
    timer.refresh();
    reportPercentage(line, progress);
  };
  try {
    return await run({ signal: AbortSignal.any([signal, silent.signal]), onErrorLine });
  } catch (error) {
    signal.throwIfAborted();
    if (silent.signal.aborted) throw new OriginError(`${failed}: it was silent for ${silenceMs / 1_000} s.`);
    if (!(error instanceof GitError)) throw error;
    const transport = /transport '(.+?)' not allowed/.exec(error.stderr)?.[1];
    throw new OriginError(
      transport === undefined
        ? `${failed} (${error.message}).`
        : `${failed}: its address begins with ${transport}:, and Grove uses only https and ssh. Change it with \`git remote set-url origin <address>\`.`,
    );
  } finally {
    clearTimeout(timer);
  }
}
