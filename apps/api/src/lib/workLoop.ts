import { ALL_KEYS, type GroveDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import { FALLBACK_POLL_MS } from "./fallbackPoll";
import { WakeUp } from "./wakeUp";

/** The shortest wait for something that is due: another process may be working on it. */
const BUSY_MS = 1_000;

interface Deps {
  database: Pick<GroveDatabase, "notifier">;
  /** Aborted when the process shuts down. */
  draining: AbortSignal;
  log: FastifyBaseLogger;
}

interface Work {
  /** The channel that announces due work. Without it, the loop only polls. */
  channel?: Parameters<GroveDatabase["notifier"]["subscribe"]>[0];
  /**
   * Does all that is due.
   * @param wake ends the wait that follows
   * @returns milliseconds until the next is due; null if that is unknown
   */
  run: (wake: () => void) => Promise<number | null>;
  /** The log message when `run` fails. It is called again after the longest wait. */
  failure: string;
  /** The longest wait, if that is not the fallback poll's interval. */
  maxWaitMs?: number;
}

/**
 * Does work that rows of the database describe: when it is announced, when it is due, and at the latest after the
 * longest wait, until the process shuts down.
 * @returns a function that resolves once the last `run` is done
 */
export function startWorkLoop(
  { database, draining, log }: Deps,
  { channel, run, failure, maxWaitMs = FALLBACK_POLL_MS }: Work,
): () => Promise<void> {
  const wakeUp = new WakeUp();
  const wake = () => wakeUp.wake();
  const unsubscribe = channel && database.notifier.subscribe(channel, ALL_KEYS, wake);
  const runOnce = async (): Promise<number> => {
    try {
      const untilDue = (await run(wake)) ?? maxWaitMs;
      return Math.min(Math.max(untilDue, BUSY_MS), maxWaitMs);
    } catch (error) {
      if (!draining.aborted) log.error({ err: error }, failure);
      return maxWaitMs;
    }
  };
  const loop = async () => {
    while (!draining.aborted) await wakeUp.wait(await runOnce(), [draining]);
  };
  const running = loop();
  return async () => {
    unsubscribe?.();
    await running;
  };
}
