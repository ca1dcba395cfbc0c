import { GroveError } from "@grove/auth";
import { ownWaitMs } from "@grove/db";

const defaultBounds = {
  /** The concurrency limit while work is fast. */
  maxConcurrency: 500,
  /** The lowest concurrency limit, which still keeps the server busy. */
  minConcurrency: 64,
  /** Work that takes longer than this is slow. */
  slowMs: 500,
};

export type LoadShedderBounds = typeof defaultBounds;

/** Slow work lowers the limit by this share. Other work raises the limit by one. */
const SLOW_DECREASE = 0.02;
/** Callers that are refused together retry at random within this time. */
const RETRY_WITHIN_SECONDS = 4;

/**
 * Limits this process's concurrent work. A request above the limit is refused quickly; a longer queue would only delay
 * every response (`pnpm bench overload`).
 */
export class LoadShedder {
  readonly #bounds: LoadShedderBounds;
  #inProgress = 0;
  /** The work in progress of each caller. */
  readonly #inProgressByCaller = new Map<string, number>();
  /** The current concurrency limit, between `minConcurrency` and `maxConcurrency`. */
  #maxInProgress: number;

  constructor(bounds: Partial<LoadShedderBounds> = {}) {
    this.#bounds = { ...defaultBounds, ...bounds };
    this.#maxInProgress = this.#bounds.maxConcurrency;
  }

  /**
   * Call this when a request arrives, before any work on it: the work on a request that is refused later is wasted. At
   * the limit, the callers with the most work in progress are refused first. A caller with less than half as much as
   * another is admitted, up to twice the limit.
   * @throws {GroveError} SERVICE_UNAVAILABLE `overloaded`
   */
  require(caller = ""): void {
    if (this.#inProgress < this.#maxInProgress) return;
    const maxOfCallers = Math.max(0, ...this.#inProgressByCaller.values());
    if (
      this.#inProgress < 2 * this.#maxInProgress &&
      2 * (this.#inProgressByCaller.get(caller) ?? 0) < maxOfCallers
    )
      return;
    throw overloaded("The server is overloaded.");
  }

  /**
   * Runs a part of a call that takes processor time or a connection. Waiting in a queue or for a device takes neither.
   * @param caller the caller that the work is for; undefined for the instance's own work
   */
  async workOn<T>(work: () => Promise<T>, caller?: string): Promise<T> {
    const began = performance.now();
    const waitedBefore = ownWaitMs();
    this.#count(caller, 1);
    try {
      return await work();
    } finally {
      this.#count(caller, -1);
      // A caller with many slow statements waits for itself. Other callers should not be refused because of that.
      this.#adjustMax(performance.now() - began - (ownWaitMs() - waitedBefore));
    }
  }

  #count(caller: string | undefined, more: 1 | -1): void {
    this.#inProgress += more;
    if (caller === undefined) return;
    const inProgress = (this.#inProgressByCaller.get(caller) ?? 0) + more;
    if (inProgress > 0) this.#inProgressByCaller.set(caller, inProgress);
    else this.#inProgressByCaller.delete(caller);
  }

  /** Additive increase, multiplicative decrease, in small steps: one slow call does not matter. */
  #adjustMax(ms: number): void {
    const { maxConcurrency, minConcurrency, slowMs } = this.#bounds;
    const max =
      ms > slowMs
        ? Math.max(minConcurrency, this.#maxInProgress * (1 - SLOW_DECREASE))
        : this.#maxInProgress + 1;
    this.#maxInProgress = Math.min(maxConcurrency, max);
  }
}

/** Refuses a call before it begins, because the whole instance is overloaded. */
export const overloaded = (fact: string): GroveError =>
  new GroveError("SERVICE_UNAVAILABLE", `${fact} This call was not started: try again in a few seconds.`, {
    reason: "overloaded",
    details: { retryAfterSeconds: 1 + Math.floor(Math.random() * RETRY_WITHIN_SECONDS) },
  });
