import type { Database, GroveDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import { WakeUp } from "../lib/wakeUp";
import type { PendingChanges } from "./pendingChanges";
import { readState, SEEN_AGAIN_MS } from "./state";

/** The interval of the fallback poll, which reads the state without a wake-up. */
const EVERY_MS = 5_000;
/** The delay of the second read after a hint, since the change may be committed after the first. */
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
  readonly #closed = new AbortController();
  readonly #wakeUp = new WakeUp();
  /** The fingerprints of the last read, by key. */
  #fingerprints = new Map<string, string>();
  #readAt = Number.NEGATIVE_INFINITY;
  #hasHint = false;
  #hasCommit = false;
  /** Resolves once there is a state to compare with. */
  readonly begun: Promise<void>;

  constructor(
    { db, notifier }: Pick<GroveDatabase, "db" | "notifier">,
    log: FastifyBaseLogger,
    organizationId: string,
  ) {
    this.#db = db;
    this.#log = log;
    this.#organizationId = organizationId;
    // These announcements come after the change was committed.
    const unsubscribe = notifier.subscribe("attention", organizationId, () => {
      this.#hasCommit = true;
      this.#wakeUp.wake();
    });
    this.#closed.signal.addEventListener("abort", unsubscribe, { once: true });
    this.begun = this.#read();
    void this.#run();
  }

  /** Schedules a read soon, since something may have changed. */
  hint(): void {
    this.#hasHint = true;
    this.#wakeUp.wake();
  }

  add(watcher: PendingChanges): void {
    this.#watchers.add(watcher);
  }

  /** @returns whether that was the last watcher; the reader then stops */
  delete(watcher: PendingChanges): boolean {
    this.#watchers.delete(watcher);
    if (this.#watchers.size > 0) return false;
    this.#closed.abort();
    return true;
  }

  async #run(): Promise<void> {
    // Callers that await `begun` get the error, and stop the reader.
    await this.begun.catch(() => undefined);
    const { signal } = this.#closed;
    const pause = new WakeUp();
    while (!signal.aborted) {
      const afterHint = this.#hasHint;
      this.#hasHint = false;
      const waitMs = afterHint ? AFTER_HINT_MS : EVERY_MS;
      await this.#wakeUp.wait(this.#hasCommit ? 0 : waitMs, [signal]);
      if (signal.aborted) return;
      this.#hasCommit = false;
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
    const before = this.#fingerprints;
    this.#fingerprints = new Map(found.map(({ key, fingerprint }) => [key, fingerprint]));
    if (!isFirst && began - this.#readAt > SURE_MS) for (const watcher of this.#watchers) watcher.miss();
    else if (!isFirst) {
      const different = found.filter(({ key, fingerprint }) => before.get(key) !== fingerprint);
      if (different.length > 0) for (const watcher of this.#watchers) watcher.add(different);
    }
    this.#readAt = began;
  }
}
