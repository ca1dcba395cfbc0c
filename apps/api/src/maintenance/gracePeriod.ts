import type { SliceStart } from "../dispatch/end/sweep";

/** The database's clock was set if it moved by this much more than the time that passed. */
const CLOCK_STEP_MS = 30_000;
/** The longest time-out of a command: an hour after a step of the clock, no running command began before it. */
const LONGEST_WORK_MS = 3_600_000;

/**
 * The period in which the sweeper gives up no command: after anything that may have kept devices from reporting.
 *
 * After the database's clock was set forward, the period is longer by the same amount, up to an hour. Rows then appear
 * older than they are.
 */
export class GracePeriod {
  readonly #graceMs: number;
  #endsAt = 0;
  #last: SliceStart | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  begin(moreMs = 0): void {
    this.#endsAt = Math.max(this.#endsAt, performance.now() + this.#graceMs + moreMs);
  }

  /** Whether the period had ended when a slice of a sweep began. */
  isOver(start: SliceStart): boolean {
    const last = this.#last ?? start;
    this.#last = start;
    const stepMs = start.databaseMs - last.databaseMs - (start.steadyMs - last.steadyMs);
    if (Math.abs(stepMs) > CLOCK_STEP_MS) this.begin(Math.min(Math.max(stepMs, 0), LONGEST_WORK_MS));
    return start.steadyMs >= this.#endsAt;
  }
}
