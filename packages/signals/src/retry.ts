import { setTimeout as sleep } from "node:timers/promises";
import { type Backoff, backoffMs } from "./backoff";

export interface RetryOptions extends Backoff {
  signal?: AbortSignal | undefined;
  /** No new attempt begins after this long; without limit if absent. */
  forMs?: number;
  /** The most attempts, the first included; without limit if absent. */
  maxAttempts?: number;
  retryable(error: unknown): boolean;
  /** Called before the pause that follows a failed attempt. */
  onRetry?(error: unknown): void;
}

/**
 * Runs `work` until it succeeds.
 * @throws {unknown} the last error of `work` if that is not retryable, the time is up or no attempt is left; the
 * signal's reason when aborted
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, forMs = Number.POSITIVE_INFINITY, maxAttempts = Number.POSITIVE_INFINITY } = options;
  const giveUpAt = performance.now() + forMs;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const pauseMs = backoffMs(attempt, options);
      const isOver = attempt >= maxAttempts || performance.now() + pauseMs > giveUpAt;
      if (isOver || signal?.aborted || !options.retryable(error)) throw error;
      options.onRetry?.(error);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}
