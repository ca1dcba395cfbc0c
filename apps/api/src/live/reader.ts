import type { Database, GroveDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { Kysely } from "kysely";
import { WakeUp } from "../lib/wakeUp";
import type { PendingChanges } from "./pendingChanges";
import { RECENT_CHANGE_MS, readState } from "./state";

/** The interval of the fallback poll, which reads the state without a wake-up. */
const POLL_INTERVAL_MS = 5_000;
/** The delay of the second read after a hint: the change may be committed only after the first read. */
const HINT_DELAY_MS = 1_000;
/** The shortest time between two reads, regardless of the number of hints. */
const MIN_READ_INTERVAL_MS = 300;
/** If two reads are further apart, a change between them may have been missed. */
const MAX_READ_GAP_MS = RECENT_CHANGE_MS / 2;

/**
 * Polls the state of a watched organization, and gives its watchers the differences from the previous read. There are
 * no events for devices and sessions: an expiring lease writes none, and writing events would make connecting devices
 * wait for one another.
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
  /** Resolves after the first read, with which later ones are compared. */
  readonly firstRead: Promise<void>;

  constructor(
    { db, notifier }: Pick<GroveDatabase, "db" | "notifier">,
    log: FastifyBaseLogger,
    organizationId: string,
  ) {
    this.#db = db;
    this.#log = log;
    this.#organizationId = organizationId;
    // These announcements are made after the change was committed.
    const unsubscribe = notifier.subscribe("attention", organizationId, () => {
      this.#hasCommit = true;
      this.#wakeUp.wake();
    });
    this.#closed.signal.addEventListener("abort", unsubscribe, { once: true });
    this.firstRead = this.#read();
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
    // Callers that await `firstRead` get the error, and stop the reader.
    await this.firstRead.catch(() => undefined);
    const { signal } = this.#closed;
    const pause = new WakeUp();
    while (!signal.aborted) {
      const waitMs = this.#hasHint ? HINT_DELAY_MS : POLL_INTERVAL_MS;
      const passed = await this.#wakeUp.wait(this.#hasCommit ? 0 : waitMs, [signal]);
      // A hint that came in the meantime gets a second read of its own.
      if (passed) this.#hasHint = false;
      if (signal.aborted) return;
      this.#hasCommit = false;
      await this.#read().catch((error) =>
        this.#log.error({ err: error }, "could not read the state of a watched organization"),
      );
      await pause.wait(MIN_READ_INTERVAL_MS, [signal]);
    }
  }

  async #read(): Promise<void> {
    const began = performance.now();
    const entries = await readState(this.#db, this.#organizationId);
    const isFirst = this.#readAt === Number.NEGATIVE_INFINITY;
    const previous = this.#fingerprints;
    this.#fingerprints = new Map(entries.map(({ key, fingerprint }) => [key, fingerprint]));
    if (!isFirst && began - this.#readAt > MAX_READ_GAP_MS)
      for (const watcher of this.#watchers) watcher.miss();
    else if (!isFirst) {
      const different = entries.filter(({ key, fingerprint }) => previous.get(key) !== fingerprint);
      if (different.length > 0) for (const watcher of this.#watchers) watcher.add(different);
    }
    this.#readAt = began;
  }
}
