/** How long the pauses between attempts are. */
export interface Backoff {
  /** The longest first pause; doubled after each failure. */
  readonly baseMs: number;
  readonly maxMs: number;
}

/**
 * Returns the pause after `failures` failures in a row, the first of which is 1: exponential with full jitter, so that
 * a thousand clients that lost the same server do not come back in the same second.
 * @param random from 0 to 1; `() => 1` for a pause without jitter
 */
export const backoffMs = (failures: number, { baseMs, maxMs }: Backoff, random = Math.random): number =>
  Math.round(random() * Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30)));
