import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "@grove/signals/backoff";
import type { Program, ProgramEnded } from "./program";
import { whenAborted } from "./wait";

const defaultTimings = {
  /** The first wait, doubled each time up to `maxMs`. */
  baseMs: 1_000,
  maxMs: 30_000,
  /** After a run of at least this long, the waits start again with the first. */
  wellAfterMs: 60_000,
};

export interface KeepRunningOptions {
  start(): Program;
  /**
   * Called when the program has ended by itself. It starts again after `waitMs`, unless this returns false.
   * @param failures how often in a row it has ended, this time included
   */
  onEnd(ended: ProgramEnded, waitMs: number, failures: number): boolean;
  timings?: Partial<typeof defaultTimings>;
}

/** Starts a program. Restarts it after growing waits whenever it ends, until stopped or `onEnd` returns false. */
export function keepRunning(options: KeepRunningOptions): { stop(graceMs: number): Promise<void> } {
  const { start, onEnd } = options;
  const { baseMs, maxMs, wellAfterMs } = { ...defaultTimings, ...options.timings };
  const stopping = new AbortController();
  let program: Program;
  const run = async () => {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      const startedAt = performance.now();
      program = start();
      const ended = (await whenAborted(program.ended)) as ProgramEnded;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > wellAfterMs) failures = 0;
      // Without jitter: the time is shown, and nothing else waits for it.
      const waitMs = backoffMs(failures + 1, { baseMs, maxMs }, () => 1);
      if (!onEnd(ended, waitMs, failures + 1)) return;
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    stop: async (graceMs) => {
      stopping.abort();
      await program.stop(graceMs);
      await running;
    },
  };
}
