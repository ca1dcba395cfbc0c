import { JournalReplacedError } from "../errors";
import type { Log } from "../log";
import type { JournalDisk } from "./journalDisk";
import { apply, type JournalRecord, type Knowledge, toLine } from "./journalFile";

/** A larger file is rewritten with only its open entries, at most once each time its size doubles. */
const COMPACT_AT_BYTES = 256 * 1024;
/** How often an incomplete file is rewritten while that fails and nothing else is written. */
const REPAIR_EVERY_MS = 10_000;

interface Waiting {
  record: JournalRecord;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Queues records for a journal's file, in order. Records that arrive during a write go into the next one. After a
 * failed write the file is rewritten as soon as possible. Outcomes and confirmations are known without the disk, and
 * the next process must not act on a file that lacks them.
 */
export class JournalQueue {
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #scheduledWrite: { timer: NodeJS.Timeout; at: number } | undefined;
  #compactAt: number;
  /** Whether a write has failed since the file was last complete. */
  #hasUnwritten = false;
  #repairTimer: NodeJS.Timeout | undefined;
  #closed = false;
  readonly #replaced = new AbortController();
  readonly #disk: JournalDisk;
  readonly #knowledge: Knowledge;
  readonly #log: Log;

  constructor(disk: JournalDisk, known: Knowledge, log: Log) {
    this.#disk = disk;
    this.#knowledge = known;
    this.#log = log;
    this.#compactAt = Math.max(COMPACT_AT_BYTES, 2 * disk.size);
  }

  /** Aborted with a {@link JournalReplacedError} when another file is at the journal's path. */
  get replaced(): AbortSignal {
    return this.#replaced.signal;
  }

  /**
   * Resolves when the record is on disk.
   * @throws {Error} the file system's, with nothing written
   */
  append(record: JournalRecord): Promise<void> {
    const written = this.#wait(record);
    this.#writing ??= this.#writeAll();
    return written;
  }

  /** Like {@link append}, but waits for the next urgent record, or at most this long. */
  appendWithin(ms: number, record: JournalRecord): Promise<void> {
    const writeAt = performance.now() + ms;
    if (!this.#scheduledWrite || writeAt < this.#scheduledWrite.at) {
      clearTimeout(this.#scheduledWrite?.timer);
      const timer = setTimeout(() => {
        this.#scheduledWrite = undefined;
        this.#writing ??= this.#writeAll();
      }, ms);
      this.#scheduledWrite = { timer, at: writeAt };
    }
    return this.#wait(record);
  }

  /** Treats obsolete records as written. */
  settle(isObsolete: (record: JournalRecord) => boolean): void {
    const obsolete = this.#waiting.filter(({ record }) => isObsolete(record));
    this.#waiting = this.#waiting.filter(({ record }) => !isObsolete(record));
    for (const { resolve } of obsolete) resolve();
  }

  /** Writes the waiting records, then closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#scheduledWrite?.timer);
    await (this.#writing ?? this.#writeAll());
    clearTimeout(this.#repairTimer);
    if (this.#hasUnwritten) await this.#rewrite();
    await this.#disk.close();
  }

  #wait(record: JournalRecord): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The journal is closed."));
    return new Promise<void>((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
    });
  }

  /** Writes everything that arrived during the last write together. It is on disk when the write resolves. */
  async #writeAll(repair = false): Promise<void> {
    // Yields once, so that records which arrive together are all queued, and are written together.
    await Promise.resolve();
    if (repair) await this.#rewrite();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#disk.append(batch.map(({ record }) => toLine(record)).join(""));
      } catch (error) {
        this.#hasUnwritten = true;
        if (error instanceof JournalReplacedError) this.#replaced.abort(error);
        for (const { reject } of batch) reject(error);
        continue;
      }
      for (const { record, resolve } of batch) {
        // Outcomes and confirmations were applied when they became known; only these two wait for the disk.
        if (record.type === "begin" || record.type === "note") apply(this.#knowledge, record);
        resolve();
      }
      if (this.#hasUnwritten || this.#disk.size > this.#compactAt) await this.#rewrite();
    }
    if (this.#hasUnwritten && !this.#closed) this.#scheduleRepair();
    this.#writing = undefined;
  }

  /** Rewrites the file with the current state. */
  async #rewrite(): Promise<void> {
    if (this.#replaced.signal.aborted) return;
    try {
      await this.#disk.rewrite(this.#knowledge);
      this.#hasUnwritten = false;
    } catch (error) {
      this.#log.warn({ err: error }, "the journal could not be rewritten");
      if (error instanceof JournalReplacedError) this.#replaced.abort(error);
    }
    this.#compactAt = Math.max(COMPACT_AT_BYTES, 2 * this.#disk.size);
  }

  #scheduleRepair(): void {
    clearTimeout(this.#repairTimer);
    this.#repairTimer = setTimeout(() => {
      this.#writing ??= this.#writeAll(true);
    }, REPAIR_EVERY_MS).unref();
  }
}
