import { randomUUID } from "node:crypto";
import { type FileHandle, rename, stat } from "node:fs/promises";
import {
  apply,
  diskFull,
  type Entries,
  type JournalEntry,
  type JournalRecord,
  type Outcome,
  readJournal,
  rewriteJournal,
  toLine,
} from "./journalFile";
import type { Log } from "./log";

/** A file that has grown beyond this is rewritten with what is still open, at most once for each doubling of that. */
const COMPACT_AT_BYTES = 256 * 1024;

/** What reads the file beside the agent, such as `status`, sees a confirmation by then. */
const CONFIRM_WITHIN_MS = 100;
/** An outcome that the cloud has confirmed by then, as it nearly always has, need not be written: that is a write less. */
const FINISH_WITHIN_MS = 20;

interface Waiting {
  record: JournalRecord;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * What this device has begun and what came of it: an append-only file that outlives crashes and power cuts.
 * Its id is the fence of commands (design, section 3): the cloud sends an unsettled command again to the same journal
 * only. One process may have it open; {@link lockHome} sees to that.
 */
export class Journal {
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #soon: { timer: NodeJS.Timeout; at: number } | undefined;
  #compactAt: number;

  private constructor(
    readonly id: string,
    private readonly path: string,
    private readonly entries: Entries,
    private file: FileHandle,
    private size: number,
    private readonly log: Log,
  ) {
    this.#compactAt = Math.max(COMPACT_AT_BYTES, 2 * size);
  }

  /**
   * Opens the journal, making one where there is none. A file that was copied or restored from a backup, or that is
   * damaged, does not know all that was begun since: it is put aside and a new journal, with a new id, takes its place.
   * @throws the file system's error when the file cannot be read or written
   */
  static async open(path: string, log: Log): Promise<Journal> {
    const found = await readJournal(path);
    let journalId: string = randomUUID();
    let entries: Entries = new Map();
    if (found.state === "good" && found.inode === String((await stat(path, { bigint: true })).ino)) {
      ({ journalId, entries } = found);
    } else if (found.state !== "none") {
      const why = found.state === "damaged" ? found.why : "it was copied or restored from a backup";
      const aside = `${path}.${randomUUID()}.old`;
      await rename(path, aside);
      log.warn({ why, aside }, "the journal cannot be continued; a new one takes its place");
    }
    const { file, size } = await rewriteJournal(path, journalId, entries);
    return new Journal(journalId, path, entries, file, size, log);
  }

  get(id: string): Readonly<JournalEntry> | undefined {
    return this.entries.get(id);
  }

  /** Every command that was begun and not yet confirmed. */
  all(): readonly Readonly<JournalEntry>[] {
    return [...this.entries.values()];
  }

  /**
   * Writes down that a command begins. Nothing of it may be done before this has resolved: then the record is on disk.
   * @throws the file system's error (ENOSPC above all), with nothing recorded
   */
  begin(id: string, tool: string): Promise<void> {
    return this.#append({ type: "begin", id, tool });
  }

  /** Writes down what the command is about to make, so that it is found after a crash. On disk when it resolves. */
  note(id: string, note: unknown): Promise<void> {
    return this.#append({ type: "note", id, note });
  }

  /**
   * Records how a command ended. The outcome is known from this call on. When it resolves, the disk has it, or the cloud
   * has confirmed it meanwhile; when the disk fails it is kept in memory, which is enough as long as the process lives.
   */
  async finish(id: string, outcome: Outcome): Promise<void> {
    const record: JournalRecord = { type: "finish", id, outcome };
    apply(this.entries, record);
    try {
      await this.#appendWithin(FINISH_WITHIN_MS, record);
    } catch (error) {
      this.log.error(
        { err: error, commandId: id },
        "the outcome of a command could not be written to the journal",
      );
    }
  }

  /**
   * Forgets commands whose end the cloud has confirmed. That is written with the next record, or soon: what is lost of
   * it is just confirmed again.
   */
  confirm(ids: string[]): void {
    const known = ids.filter((id) => this.entries.has(id));
    if (known.length === 0) return;
    const record: JournalRecord = { type: "confirm", ids: known };
    apply(this.entries, record);
    const isMoot = (waiting: Waiting) =>
      waiting.record.type === "finish" && known.includes(waiting.record.id);
    for (const { resolve } of this.#waiting.filter(isMoot)) resolve();
    this.#waiting = this.#waiting.filter((waiting) => !isMoot(waiting));
    this.#appendWithin(CONFIRM_WITHIN_MS, record).catch((error: unknown) =>
      this.log.warn({ err: error }, "the journal could not be written"),
    );
  }

  /** Writes what is still waiting, then closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#soon?.timer);
    await (this.#writing ?? this.#writeAll());
    await this.file.close();
  }

  #append(record: JournalRecord): Promise<void> {
    const written = this.#wait(record);
    this.#writing ??= this.#writeAll();
    return written;
  }

  /** With the next record that cannot wait, or when this time is up. */
  #appendWithin(ms: number, record: JournalRecord): Promise<void> {
    const at = performance.now() + ms;
    if (!this.#soon || at < this.#soon.at) {
      clearTimeout(this.#soon?.timer);
      const timer = setTimeout(() => {
        this.#soon = undefined;
        this.#writing ??= this.#writeAll();
      }, ms);
      this.#soon = { timer, at };
    }
    return this.#wait(record);
  }

  #wait(record: JournalRecord): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#waiting.push({ record, resolve, reject });
    });
  }

  /** One write, which the disk has when it resolves, for all that came while the last one was under way. */
  async #writeAll(): Promise<void> {
    // Commands that came at once have all got here by then.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#write(batch);
      } catch (error) {
        // Whatever part of it reached the file must not stand before the next record.
        await this.file.truncate(this.size).catch(() => {});
        for (const { reject } of batch) reject(error);
        continue;
      }
      for (const { record, resolve } of batch) {
        // An outcome is applied by finish() itself, a confirmation by confirm(): only these two wait for the disk.
        if (record.type === "begin" || record.type === "note") apply(this.entries, record);
        resolve();
      }
      if (this.size > this.#compactAt) await this.#compact();
    }
    this.#writing = undefined;
  }

  async #write(batch: Waiting[]): Promise<void> {
    const bytes = Buffer.from(batch.map(({ record }) => toLine(record)).join(""));
    const { bytesWritten } = await this.file.write(bytes, 0, bytes.length, this.size);
    if (bytesWritten !== bytes.length) throw diskFull();
    this.size += bytesWritten;
  }

  async #compact(): Promise<void> {
    try {
      const rewritten = await rewriteJournal(this.path, this.id, this.entries);
      await this.file.close();
      this.file = rewritten.file;
      this.size = rewritten.size;
    } catch (error) {
      this.log.warn({ err: error }, "the journal could not be compacted");
    }
    this.#compactAt = Math.max(COMPACT_AT_BYTES, 2 * this.size);
  }
}
