import { GroveError } from "@grove/auth";
import { ownWaitMs } from "@grove/db";

const defaultBounds = {
  /** Calls of all callers that are worked on while the server keeps up. */
  worked: 500,
  /** The same when it does not: as many keep it busy. */
  workedLeast: 64,
  /** Work that takes longer than this shows that it does not keep up. */
  slowMs: 500,
};

export type LoadShedderBounds = typeof defaultBounds;

/** The share by which slow work lowers the number of calls that are worked on; other work raises it by one. */
const SLOWER = 0.02;
/** Callers that are refused together come back within this time, at random. */
const RETRY_WITHIN_SECONDS = 4;

/**
 * This process's room for work. A request that finds none is refused quickly, whereas a longer queue would only make
 * every answer late (`pnpm bench overload`).
 */
export class LoadShedder {
  readonly #bounds: LoadShedderBounds;
  #worked = 0;
  /** The work of each caller. */
  readonly #held = new Map<string, number>();
  /** The calls that may be worked on, between `workedLeast` and `worked`. */
  #size: number;

  constructor(bounds: Partial<LoadShedderBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#size = this.#bounds.worked;
  }

  /**
   * Call this when a request arrives, before anything is done for it: work on a request that is refused later is lost.
   * A full server refuses the callers that hold most of it first. One that holds less than half as much as another is
   * let in, up to twice the size.
   * @throws {GroveError} SERVICE_UNAVAILABLE `overloaded`
   */
  require(caller = ""): void {
    if (this.#worked < this.#size) return;
    const most = Math.max(0, ...this.#held.values());
    if (this.#worked < 2 * this.#size && 2 * (this.#held.get(caller) ?? 0) < most) return;
    throw overloaded("This server has more to do than it can.");
  }

  /**
   * Does a part of a call that takes processor time or a connection. Waiting for a turn or a device takes neither.
   * @param caller whose work it is; without one it is the instance's own
   */
  async workOn<T>(work: () => Promise<T>, caller?: string): Promise<T> {
    const began = performance.now();
    const waitedBefore = ownWaitMs();
    this.#count(caller, 1);
    try {
      return await work();
    } finally {
      this.#count(caller, -1);
      // A caller with many slow statements waits for itself, and others should not be refused for that.
      this.#adjust(performance.now() - began - (ownWaitMs() - waitedBefore));
    }
  }

  #count(caller: string | undefined, more: 1 | -1): void {
    this.#worked += more;
    if (caller === undefined) return;
    const held = (this.#held.get(caller) ?? 0) + more;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }

  /** Little by little (additive increase, multiplicative decrease), so that one slow call does not matter. */
  #adjust(ms: number): void {
    const { worked, workedLeast, slowMs } = this.#bounds;
    const size = ms > slowMs ? Math.max(workedLeast, this.#size * (1 - SLOWER)) : this.#size + 1;
    this.#size = Math.min(worked, size);
  }
}

/** A refusal of a call that was not begun, because the whole instance has too much to do. */
export const overloaded = (fact: string): GroveError =>
  new GroveError("SERVICE_UNAVAILABLE", `${fact} This call was not begun: try again in a few seconds.`, {
    reason: "overloaded",
    details: { retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_WITHIN_SECONDS) },
  });
