import { AsyncLocalStorage } from "node:async_hooks";
import { ConnectionTimeoutError } from "../errors";

interface Caller {
  name: string;
  /** The total time that statements of this caller waited for other statements of the same caller. */
  ownWaitMs: number;
}

const caller = new AsyncLocalStorage<Caller>();

/** Runs work on behalf of a caller, so that callers take turns at the database. */
export const runAsCaller = <T>(name: string, work: () => T): T => caller.run({ name, ownWaitMs: 0 }, work);

/** Returns how many ms this work's statements waited for others of the same caller. That is not a sign of overload. */
export const ownWaitMs = (): number => caller.getStore()?.ownWaitMs ?? 0;

/** The longest wait for a connection: the same as in the pools of PostgreSQL connections. */
const TIMEOUT_MS = 15_000;

interface Waiting {
  begin: () => void;
}

/**
 * Lends connections round-robin: each waiting caller gets one before another caller gets its second. Work without a
 * caller is the instance's own.
 */
export class FairQueue {
  #freeCount: number;
  readonly #maxPerCaller: number;
  readonly #heldByCaller = new Map<string, number>();
  /** The waiting callers, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();

  /**
   * @param connections the number of connections
   * @param maxPerCaller the most connections that one caller may hold at a time
   */
  constructor(connections: number, maxPerCaller = connections) {
    this.#freeCount = connections;
    this.#maxPerCaller = maxPerCaller;
  }

  /**
   * Waits for a connection.
   * @returns a function to call when the connection is free again
   * @throws {ConnectionTimeoutError} after 15 s
   */
  async take(): Promise<() => void> {
    const store = caller.getStore();
    const name = store?.name ?? "";
    if (this.#freeCount > 0 && this.#isBelowLimit(name)) this.#grant(name);
    else {
      const isOwn = !this.#isBelowLimit(name);
      const began = performance.now();
      await this.#enqueue(name);
      if (store && isOwn) store.ownWaitMs += performance.now() - began;
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(name);
    };
  }

  #enqueue(name: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const callerQueue = this.#waiting.get(name) ?? [];
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(timer);
          // The embedded engine's statements run on this thread. Other events are handled between two of them.
          setImmediate(resolve);
        },
      };
      const timer = setTimeout(() => {
        callerQueue.splice(callerQueue.indexOf(waiting), 1);
        if (callerQueue.length === 0) this.#waiting.delete(name);
        reject(new ConnectionTimeoutError(TIMEOUT_MS));
      }, TIMEOUT_MS);
      callerQueue.push(waiting);
      this.#waiting.set(name, callerQueue);
    });
  }

  #isBelowLimit(name: string): boolean {
    return name === "" || (this.#heldByCaller.get(name) ?? 0) < this.#maxPerCaller;
  }

  #grant(name: string): void {
    this.#freeCount--;
    this.#heldByCaller.set(name, (this.#heldByCaller.get(name) ?? 0) + 1);
  }

  #release(name: string): void {
    this.#freeCount++;
    const remaining = (this.#heldByCaller.get(name) ?? 1) - 1;
    if (remaining > 0) this.#heldByCaller.set(name, remaining);
    else this.#heldByCaller.delete(name);
    // Moves this caller to the end, since others may have begun to wait during its turn.
    const own = this.#waiting.get(name);
    if (own && this.#waiting.delete(name)) this.#waiting.set(name, own);
    for (const [next, callerQueue] of this.#waiting) {
      if (!this.#isBelowLimit(next)) continue;
      // The caller's next turn comes after the other callers' turns.
      this.#waiting.delete(next);
      const first = callerQueue.shift();
      if (callerQueue.length > 0) this.#waiting.set(next, callerQueue);
      if (!first) continue;
      this.#grant(next);
      first.begin();
      return;
    }
  }
}
