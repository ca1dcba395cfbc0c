import { setTimeout as sleep } from "node:timers/promises";
import { CommandFailure } from "../errors";
import { GitError } from "./run";

/** Allows one change at a time in each repository, so that this agent never collides with itself. */
export class RepositoryLocks {
  #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work on the same repository is over.
   * @throws {unknown} the signal's reason if it is aborted before `work` has begun
   */
  run<T>(repository: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    let begun = false;
    const mine = (this.#tails.get(repository) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted();
      begun = true;
      return work();
    });
    const tail: Promise<void> = mine
      .catch(() => {})
      .then(() => {
        if (this.#tails.get(repository) === tail) this.#tails.delete(repository);
      });
    this.#tails.set(repository, tail);
    // A caller that gives up does not wait for the work before it.
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (!begun) reject(signal?.reason);
      };
      signal?.addEventListener("abort", leave);
      mine.then(resolve, reject).finally(() => signal?.removeEventListener("abort", leave));
    });
  }
}

const PATIENCE_MS = 10_000;

/** Whether git failed on a lock file of its own, which another process holds in the same repository. */
const isLocked = (error: unknown): error is GitError =>
  error instanceof GitError &&
  /\.lock': File exists|could not lock config file .*File exists/.test(error.stderr);

/**
 * Runs `work` again for up to 10 s while another git process has the repository locked. If `work` fails, it must have
 * undone its changes.
 * @throws {CommandFailure} `repository_locked` if it stays locked
 */
export async function whenUnlocked<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      const lockFile = /'?(\/[^']*?)(\.lock)?'?: File exists/.exec(error.stderr)?.[1];
      if (performance.now() > giveUpAt)
        throw new CommandFailure(
          "repository_locked",
          `Another git process holds ${lockFile ? `${lockFile}.lock` : "a lock in the repository"}. Try again when it is done; if none runs, remove that file.`,
        );
      await sleep(100 + Math.random() * 200, undefined, { signal });
    }
  }
}
