import { setTimeout as sleep } from "node:timers/promises";

export interface Backoff {
  baseMs: number;
  maxMs: number;
}

/**
 * Returns the pause before attempt `attempt` (from 1): exponential with full jitter, so that a thousand devices that
 * lost the same API do not reconnect in the same second.
 */
export const backoffMs = (attempt: number, { baseMs, maxMs }: Backoff): number =>
  Math.round(Math.random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30)));

export interface RetryOptions extends Backoff {
  signal: AbortSignal;
  /** No new attempt begins after this long. */
  forMs: number;
  retryable(error: unknown): boolean;
}

/**
 * Runs `work` until it succeeds.
 * @throws {unknown} the last error of `work` if that is not retryable or the time is up; the signal's reason when
 * aborted
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const giveUpAt = performance.now() + options.forMs;
  for (let attempt = 1; ; attempt++) {
    options.signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      const waitMs = backoffMs(attempt, options);
      if (!options.retryable(error) || performance.now() + waitMs > giveUpAt) throw error;
      await sleep(waitMs, undefined, { signal: options.signal }).catch(() => {});
    }
  }
}
