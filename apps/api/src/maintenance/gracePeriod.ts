import { MAX_TIMEOUT_MS } from "@grove/schemas";
import type { SliceStart } from "../dispatch/end/sweep";

/** The database's clock was set if it moved by this much more than the time that passed. */
const CLOCK_STEP_MS = 30_000;

/**
 * The period in which the sweeper settles no command for want of a report, after any event that may have kept devices
 * from reporting.
 *
 * After the database's clock was set forward, the period is longer by the same amount, since rows then appear older
 * than they are. It is longer by the longest time-out at most: after that, no running command began before the step.
 */
export class GracePeriod {
  readonly #graceMs: number;
  #endsAt = 0;
  #lastSlice: SliceStart | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  begin(moreMs = 0): void {
    this.#endsAt = Math.max(this.#endsAt, performance.now() + this.#graceMs + moreMs);
  }

  /** Whether the period had ended when a slice of a sweep began. */
  isOver(start: SliceStart): boolean {
    const last = this.#lastSlice ?? start;
    this.#lastSlice = start;
    const stepMs = start.databaseMs - last.databaseMs - (start.steadyMs - last.steadyMs);
    if (Math.abs(stepMs) > CLOCK_STEP_MS) this.begin(Math.min(Math.max(stepMs, 0), MAX_TIMEOUT_MS));
    return start.steadyMs >= this.#endsAt;
  }
}
