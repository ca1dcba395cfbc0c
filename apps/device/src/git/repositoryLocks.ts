import { retry } from "@grove/signals/retry";
import { CommandFailure } from "../errors";
import { GitError } from "./run";

/** Allows one change at a time in each repository, so that this device agent never collides with itself. */
export class RepositoryLocks {
  #queueTails = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work on the same repository is over.
   * @throws {unknown} the signal's reason if it is aborted before `work` has begun
   */
  run<T>(repository: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let begun = false;
    const mine = (this.#queueTails.get(repository) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted();
      begun = true;
      return work();
    });
    const tail: Promise<void> = mine
      .catch(() => {})
      .then(() => {
        if (this.#queueTails.get(repository) === tail) this.#queueTails.delete(repository);
      });
    this.#queueTails.set(repository, tail);
    // A caller that is aborted does not wait for the work before it.
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (!begun) reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave);
      mine.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
    });
  }
}

const TIMEOUT_MS = 10_000;

/**
 * Whether git failed because another process works in the same repository: on a lock file of its own, or on a worktree
 * that is just being made, whose `commondir` is still empty.
 */
const isLocked = (error: unknown): error is GitError =>
  error instanceof GitError &&
  /\.lock': File exists|could not lock config file .*File exists|failed to read .*\/commondir/.test(
    error.stderr,
  );

/**
 * Runs `work` again for up to 10 s while another git process has the repository locked. If `work` fails, it must have
 * undone its changes.
 * @throws {CommandFailure} `repository_locked` if it stays locked
 */
export async function whenUnlocked<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const pauses = { baseMs: 300, maxMs: 300 };
  // Work that undoes something runs after the abort too, but without waiting.
  const end = signal.aborted ? { maxAttempts: 1 } : { signal };
  try {
    return await retry(work, { ...pauses, ...end, forMs: timeoutMs, retryable: isLocked });
  } catch (error) {
    if (!isLocked(error)) throw error;
    const lockFile = /'?(\/[^']*?)(\.lock)?'?: File exists/.exec(error.stderr)?.[1];
    throw new CommandFailure(
      "repository_locked",
      `Another git process holds ${lockFile ? `${lockFile}.lock` : "a lock in the repository"}. Try again when it is done; if none runs, remove that file.`,
    );
  }
}
