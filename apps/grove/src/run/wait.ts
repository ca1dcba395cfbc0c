import { setTimeout as sleep } from "node:timers/promises";
import { timeoutSignal } from "@grove/signals";
import { UserError } from "../errors";

export interface WaitOptions {
  signal: AbortSignal;
  forMs: number;
  /** The error's message when the time is up. */
  otherwise: string;
}

const EVERY_MS = 100;

/**
 * Polls until there is a result.
 * @throws {UserError} if the time is up; the signal's reason if aborted
 */
export async function waitFor<T>(
  poll: (signal: AbortSignal) => Promise<T | undefined>,
  { signal, forMs, otherwise }: WaitOptions,
): Promise<T> {
  const timeUp = timeoutSignal(forMs);
  const either = AbortSignal.any([signal, timeUp]);
  try {
    for (;;) {
      const result = await poll(either);
      if (result !== undefined) return result;
      await sleep(EVERY_MS, undefined, { signal: either });
    }
  } catch (error) {
    signal.throwIfAborted();
    throw timeUp.aborted ? new UserError(otherwise) : error;
  }
}

/** Resolves when the signal is aborted, with its reason. */
export const whenAborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });
