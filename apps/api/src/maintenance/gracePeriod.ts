import { MAX_TIMEOUT_MS } from "@grove/schemas";
import type { SliceStart } from "../dispatch/end/sweep";

/** A difference between the database's clock and the elapsed time that is larger than this means the clock was set. */
const CLOCK_STEP_MS = 30_000;

/**
 * The period in which the sweeper does not settle commands whose report is missing. It begins after any event that may
 * have kept devices from reporting.
 *
 * If the database's clock was set forward, the period is extended by the same amount, since rows then appear older than
 * they are. The extension is at most the longest time-out: after that, no running command began before the step.
 */
export class GracePeriod {
  readonly #graceMs: number;
  #endsAt = 0;
  #lastSlice: SliceStart | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  begin(extensionMs = 0): void {
    this.#endsAt = Math.max(this.#endsAt, performance.now() + this.#graceMs + extensionMs);
  }

  /** Returns whether the period was over when a slice of a sweep began. */
  isOver(start: SliceStart): boolean {
    const last = this.#lastSlice ?? start;
    this.#lastSlice = start;
    const stepMs = start.databaseMs - last.databaseMs - (start.steadyMs - last.steadyMs);
    if (Math.abs(stepMs) > CLOCK_STEP_MS) this.begin(Math.min(Math.max(stepMs, 0), MAX_TIMEOUT_MS));
    return start.steadyMs >= this.#endsAt;
  }
}
