import { setTimeout as sleep } from "node:timers/promises";
import type { Program } from "./program";
import { whenAborted } from "./wait";

export interface KeepRunningOptions {
  start(): Program;
  /** Told when it has ended by itself and when it will be started again. */
  onEnd(error: Error, waitMs: number): void;
  /** The first wait, doubled each time up to `maxMs`. */
  baseMs?: number;
  maxMs?: number;
  /** One that ran for this long was well: the waits begin anew. */
  wellAfterMs?: number;
}

/** Starts a program, and starts it again, with growing waits, whenever it ends; until stopped. */
export function keepRunning(options: KeepRunningOptions): { stop(graceMs: number): Promise<void> } {
  const { start, onEnd, baseMs = 1_000, maxMs = 30_000, wellAfterMs = 60_000 } = options;
  const stopping = new AbortController();
  let program: Program;
  const run = async () => {
    for (let failures = 0; !stopping.signal.aborted; failures++) {
      const startedAt = performance.now();
      program = start();
      const error = await whenAborted(program.ended);
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > wellAfterMs) failures = 0;
      const waitMs = Math.min(maxMs, baseMs * 2 ** Math.min(failures, 30));
      onEnd(error as Error, waitMs);
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
