import type { Database } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import { WakeUp } from "../lib/wakeUp";
import type { PendingChanges } from "./pendingChanges";
import { readState, SEEN_AGAIN_MS } from "./state";

/** How often the state is read while nothing hints at a change. */
const EVERY_MS = 5_000;
/** A change may follow its hint: the state is read again after this. */
const AFTER_HINT_MS = 1_000;
/** The least time between two reads, however many hints there are. */
const APART_MS = 300;
/** After a gap this long between two reads, an intermediate change may have been missed. */
const SURE_MS = SEEN_AGAIN_MS / 2;

/**
 * Polls the state of a watched organization, and gives its watchers the differences from the previous read. Devices and
 * sessions are polled instead of recorded as events. An expiring lease writes no event, and writing events would make
 * connecting devices wait for one another.
 */
export class Reader {
  readonly #db: Kysely<Database>;
  readonly #log: FastifyBaseLogger;
  readonly #organizationId: string;
  readonly #watchers = new Set<PendingChanges>();
  readonly #over = new AbortController();
  readonly #wakeUp = new WakeUp();
  /** The fingerprints of the last read, by key. */
  #prints = new Map<string, string>();
  #readAt = Number.NEGATIVE_INFINITY;
  #hinted = false;
  /** Resolves once there is a state to compare with. */
  readonly begun: Promise<void>;

  constructor(db: Kysely<Database>, log: FastifyBaseLogger, organizationId: string) {
    this.#db = db;
    this.#log = log;
    this.#organizationId = organizationId;
    this.begun = this.#read();
    void this.#run();
  }

  /** Schedules a read soon, since something may have changed. */
  hint(): void {
    this.#hinted = true;
    this.#wakeUp.wake();
  }

  add(watcher: PendingChanges): void {
    this.#watchers.add(watcher);
  }

  /** @returns whether that was the last watcher; the reader then stops */
  delete(watcher: PendingChanges): boolean {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return false;
    this.#over.abort();
    return true;
  }

  async #run(): Promise<void> {
    // Callers that await `begun` get the error, and stop the reader.
    await this.begun.catch(() => undefined);
    const { signal } = this.#over;
    const pause = new WakeUp();
    while (!signal.aborted) {
      const afterHint = this.#hinted;
      this.#hinted = false;
      await this.#wakeUp.wait(afterHint ? AFTER_HINT_MS : EVERY_MS, [signal]);
      if (signal.aborted) return;
      await this.#read().catch((error) =>
        this.#log.error({ err: error }, "could not read the state of a watched organization"),
      );
      await pause.wait(APART_MS, [signal]);
    }
  }

  async #read(): Promise<void> {
    const began = performance.now();
    const found = await readState(this.#db, this.#organizationId);
    const isFirst = this.#readAt === Number.NEGATIVE_INFINITY;
    const before = this.#prints;
    this.#prints = new Map(found.map(({ key, print }) => [key, print]));
    if (!isFirst && began - this.#readAt > SURE_MS) for (const watcher of this.#watchers) watcher.miss();
    else if (!isFirst) {
      const different = found.filter(({ key, print }) => before.get(key) !== print);
      if (different.length > 0) for (const watcher of this.#watchers) watcher.add(different);
    }
    this.#readAt = began;
  }
}
