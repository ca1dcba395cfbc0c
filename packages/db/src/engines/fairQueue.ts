import { AsyncLocalStorage } from "node:async_hooks";
import { ConnectionTimeoutError } from "../errors";

interface Caller {
  name: string;
  /** How long its statements have waited for other statements of the same caller. */
  ownWaitMs: number;
}

const caller = new AsyncLocalStorage<Caller>();

/** Runs work whose statements count as this caller's, so that callers take turns at the database. */
export const onBehalfOf = <T>(name: string, work: () => T): T => caller.run({ name, ownWaitMs: 0 }, work);

/** How many ms this work's statements have waited for other statements of its caller, which is no sign of overload. */
export const ownWaitMs = (): number => caller.getStore()?.ownWaitMs ?? 0;

/** The longest wait for a connection: the same as for one of PostgreSQL's pools. */
const PATIENCE_MS = 15_000;

interface Waiting {
  begin: () => void;
}

/**
 * Lends connections round-robin: each waiting caller gets one before another caller gets its second. Work without a
 * caller counts as the instance's.
 */
export class FairQueue {
  #free: number;
  readonly #each: number;
  readonly #held = new Map<string, number>();
  /** The callers that wait, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * @param connections how many there are
   * @param each how many of them one caller may hold
   */
  constructor(connections: number, each = connections) {
    this.#free = connections;
    this.#each = each;
  }

  /**
   * Waits for a connection.
   * @returns a function to call when the connection is free again
   * @throws {ConnectionTimeoutError} after 15 s
   */
  async take(): Promise<() => void> {
    const store = caller.getStore();
    const name = store?.name ?? "";
    if (this.#free > 0 && this.#mayHold(name)) this.#give(name);
    else {
      const isOwn = !this.#mayHold(name);
      const began = performance.now();
      await this.#turn(name);
      if (store && isOwn) store.ownWaitMs += performance.now() - began;
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#takeBack(name);
    };
  }

  #turn(name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const own = this.#waiting.get(name) ?? [];
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(timer);
          // Statements of the embedded engine run on this thread: other events get a turn between two of them.
          setImmediate(resolve);
        },
      };
      const timer = setTimeout(() => {
        own.splice(own.indexOf(waiting), 1);
        if (own.length === 0) this.#waiting.delete(name);
        reject(new ConnectionTimeoutError(PATIENCE_MS));
      }, PATIENCE_MS);
      own.push(waiting);
      this.#waiting.set(name, own);
    });
  }

  #mayHold(name: string): boolean {
    return name === "" || (this.#held.get(name) ?? 0) < this.#each;
  }

  #give(name: string): void {
    this.#free--;
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
  }

  #takeBack(name: string): void {
    this.#free++;
    const left = (this.#held.get(name) ?? 1) - 1;
    if (left > 0) this.#held.set(name, left);
    else this.#held.delete(name);
    for (const [next, own] of this.#waiting) {
      if (!this.#mayHold(next)) continue;
      // The caller's next turn comes after those of the others.
      this.#waiting.delete(next);
      const first = own.shift();
      if (own.length > 0) this.#waiting.set(next, own);
      if (!first) continue;
      this.#give(next);
      first.begin();
      return;
    }
  }
}
