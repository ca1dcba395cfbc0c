import type { Backoff } from "@grove/signals/backoff";
import { retry } from "@grove/signals/retry";
import { isTransient } from "./apiErrors";

/** The pauses before a request to an unreachable API is repeated. */
export const CALL_BACKOFF: Backoff = { baseMs: 500, maxMs: 5_000 };
/** The most attempts for a request whose connection breaks. A wait for a command repeats them until its deadline. */
const TRIES = 3;

export interface RetryCallOptions {
  readonly signal: AbortSignal;
  /** The request must not be repeated. */
  readonly onceOnly: boolean;
  /** Called before the pause that follows a failed attempt. */
  onRetry(error: unknown): void;
}

/**
 * Repeats a request to the API while its connection breaks.
 * @throws {unknown} what the last attempt threw, or the signal's reason
 */
export const retryCall = <T>(
  request: () => Promise<T>,
  { onceOnly, ...options }: RetryCallOptions,
): Promise<T> =>
  retry(request, {
    ...CALL_BACKOFF,
    ...options,
    maxAttempts: onceOnly ? 1 : TRIES,
    retryable: isTransient,
  });
