import { visibleName } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { answerOf, type Git, GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";
import type { Hooks } from "./hooks";

export interface Push {
  commit: string;
  branch: string;
  remote: string;
  /** The commit that the remote's branch must be at for a forced push; none for a push that is not forced. */
  lease: string | undefined;
  hooks: Hooks;
}

interface Caller {
  signal: AbortSignal;
  progress(line: string): void;
}

/** The variable of the git process that pushes; its value is the worktree's path. */
export const PUSHED_WORKTREE = "GROVE_PUSHED_WORKTREE";

/**
 * Pushes a commit as a branch, and nothing else.
 * @throws {CommandFailure} `non_fast_forward`, `lease_broken`, `auth_failed`, `remote_refused`, `hook_failed`
 */
export async function push(
  { git, path }: OpenWorktree,
  wanted: Push,
  { signal, progress }: Caller,
): Promise<void> {
  const { commit, branch, remote, lease, hooks } = wanted;
  const ref = `refs/heads/${branch}`;
  const args = [
    ...(hooks.allowed.has("pre-push") ? ["-c", `core.hooksPath=${hooks.directory}`] : []),
    // A mirror's pushes are forced.
    ...["-c", `remote.${remote}.mirror=false`],
    ...["push", "--porcelain", "--no-follow-tags", "--recurse-submodules=no"],
    ...(lease === undefined ? [] : [`--force-with-lease=${ref}:${lease}`]),
    ...["--end-of-options", remote, `${commit}:${ref}`],
  ];
  try {
    const mark = { [PUSHED_WORKTREE]: path };
    await git(args, { signal, mark, onErrorLine: (line) => progress(line) });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof GitError)) throw error;
    throw await refusal(git, { ...wanted, signal }, error);
  }
}

async function refusal(
  git: Git,
  { branch, remote, lease, hooks, signal }: Push & Pick<Caller, "signal">,
  { stdout, stderr, message }: GitError,
): Promise<Error> {
  const output = stderr.trim() || message;
  // "!\t<from>:<to>\t[rejected] (fetch first)"
  const [, kind, why = ""] = /^!\t[^\t]*\t\[(remote rejected|rejected)\] \((.*)\)$/m.exec(stdout) ?? [];
  if (kind === "remote rejected")
    // Two pushes at the same time: the remote's branch was locked or had moved.
    return /failed to (lock|update ref)|cannot lock ref|incorrect old value/.test(why)
      ? moved(git, { branch, remote, signal }, lease)
      : new CommandFailure(
          "remote_refused",
          `'${remote}' refused the push: ${why}. Its output:\n${remoteLines(stderr) || "(nothing)"}`,
        );
  if (kind === "rejected") return moved(git, { branch, remote, signal }, lease);
  if (AUTHENTICATION.test(stderr))
    return new CommandFailure(
      "auth_failed",
      `'${remote}' did not accept the device's git credentials: ${output} Push once by hand on the device to store them, then try again.`,
    );
  if (hooks.allowed.has("pre-push") && stdout === "" && !/^fatal: /m.test(stderr))
    return new CommandFailure(
      "hook_failed",
      `The hook pre-push refused the push. Its last output:\n${output}`,
    );
  return new CommandFailure("git_failed", `The push to '${remote}' failed: ${message}`);
}

const AUTHENTICATION =
  /authentication failed|could not read (username|password)|permission denied \(|invalid credentials|HTTP Basic: Access denied|returned error: (401|403)|terminal prompts disabled|host key verification failed/i;

const remoteLines = (stderr: string): string =>
  stderr
    .split("\n")
    .flatMap((line) => (line.startsWith("remote: ") ? [line.slice("remote: ".length).trimEnd()] : []))
    .slice(-20)
    .join("\n");

interface Place {
  branch: string;
  remote: string;
  signal: AbortSignal;
}

async function moved(git: Git, place: Place, lease: string | undefined): Promise<CommandFailure> {
  const actual = await remoteCommit(git, place, place.signal).catch(() => undefined);
  const { branch, remote } = place;
  const commit = actual && `at ${actual}${await authorText(git, place, actual)}`;
  const now = `'${branch}' at '${remote}' is ${commit ?? (actual === null ? "deleted" : "not readable now")}`;
  return lease === undefined
    ? new CommandFailure(
        "non_fast_forward",
        `${now} and has commits that the workspace does not have, so nothing was pushed. Fetch and merge them first.`,
      )
    : new CommandFailure(
        "lease_broken",
        `${now}, not at ${lease}, so nothing was pushed: someone else has pushed. Check those commits first.`,
      );
}

/** The characters of an author's name in a message. */
const MAX_NAME_LENGTH = 100;

/** The author of a commit at a remote, which is fetched without changing a ref; empty if it cannot be. */
async function authorText(git: Git, { branch, remote, signal }: Place, commit: string): Promise<string> {
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap="];
  const ref = ["--recurse-submodules=no", "--end-of-options", remote, `refs/heads/${branch}`];
  try {
    await git([...fetch, ...ref], { signal });
    const name = (await git(["log", "-1", "--format=%an", commit, "--"], { signal })).trim();
    return ` by ${visibleName(name).slice(0, MAX_NAME_LENGTH)}`;
  } catch {
    return "";
  }
}

/** The commit of a branch at a remote; null if it has no such branch. */
export async function remoteCommit(
  git: Git,
  { branch, remote }: { branch: string; remote: string },
  signal?: AbortSignal,
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const listed = await answerOf(git(["ls-remote", "--heads", "--", remote, ref], { signal }));
  const line = (listed ?? "").split("\n").find((each) => each.endsWith(`\t${ref}`));
  return line?.split("\t")[0] ?? null;
}
