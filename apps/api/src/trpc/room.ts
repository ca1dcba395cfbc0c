import { GroveError } from "@grove/auth";

const defaultBounds = {
  /** Calls of all callers that are worked on while the server keeps up. */
  worked: 500,
  /** The same when it does not: as many keep it busy. */
  workedLeast: 64,
  /** Work that takes longer than this shows that it does not keep up. */
  slowMs: 500,
};

export type RoomBounds = typeof defaultBounds;

/** The share by which slow work lowers the number of calls that are worked on; other work raises it by one. */
const SLOWER = 0.02;
/** Callers that are refused together come back within this time, at random. */
const RETRY_WITHIN_SECONDS = 4;

/**
 * This process's room for work. A request that finds none is refused quickly, whereas a longer queue would only make
 * every answer late (`pnpm bench overload`).
 */
export class Room {
  readonly #bounds: RoomBounds;
  #worked = 0;
  /** The calls that may be worked on, between `workedLeast` and `worked`. */
  #size: number;

  constructor(bounds: Partial<RoomBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#size = this.#bounds.worked;
  }

  /**
   * Ask when a request arrives, before anything is done for it: work on a request that is refused later is lost.
   * @throws {GroveError} SERVICE_UNAVAILABLE `overloaded`
   */
  require(): void {
    if (this.#worked < this.#size) return;
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      "This server has more to do than it can. This call was not begun: try again in a few seconds.",
      {
        reason: "overloaded",
        details: { retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_WITHIN_SECONDS) },
      },
    );
  }

  /** Does a part of a call that takes processor time or a connection. Waiting for a turn or a device takes neither. */
  async workOn<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    this.#worked++;
    try {
      return await work();
    } finally {
      this.#worked--;
      this.#adjust(performance.now() - began);
    }
  }

  /** Little by little (additive increase, multiplicative decrease), so that one slow call does not matter. */
  #adjust(ms: number): void {
    const { worked, workedLeast, slowMs } = this.#bounds;
    const size = ms > slowMs ? Math.max(workedLeast, this.#size * (1 - SLOWER)) : this.#size + 1;
    this.#size = Math.min(worked, size);
  }
}
