import { randomUUID } from "node:crypto";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { keepsBirths } from "../home/fileIdentity";
import type { Log } from "../log";
import { JournalDisk } from "./journalDisk";
import {
  apply,
  emptyKnowledge,
  isOutcomeWritten,
  type JournalEntry,
  type JournalRecord,
  type Knowledge,
  type Outcome,
  openJournal,
  wasConfirmed,
} from "./journalFile";
import { JournalQueue } from "./journalQueue";

/** Other readers of the file, such as `status`, see a confirmation within this time. */
const CONFIRM_WITHIN_MS = 100;
/** The API nearly always confirms an outcome within this time. Then it need not be written, which saves a write. */
const FINISH_WITHIN_MS = 20;

/**
 * Records which commands this device has begun and how they ended, in an append-only file that survives crashes and
 * power cuts. Its id is the fence of commands: the API sends an unsettled command again only to the same journal.
 * Only one process may have it open, which {@link lockHome} ensures.
 */
export class Journal {
  readonly id: string;
  readonly #knowledge: Knowledge;
  readonly #queue: JournalQueue;
  readonly #log: Log;

  private constructor(id: string, known: Knowledge, queue: JournalQueue, log: Log) {
    this.id = id;
    this.#knowledge = known;
    this.#queue = queue;
    this.#log = log;
  }

  /**
   * Opens the journal, or creates it. A file that was copied, restored from a backup or damaged may lack commands that
   * were begun. It is renamed and replaced by a new journal with a new id.
   * @throws {Error} the file system's if the file cannot be read or written
   */
  static async open(path: string, log: Log): Promise<Journal> {
    const births = await keepsBirths(dirname(path));
    const earlier = await openJournal(path);
    try {
      const found = earlier.read;
      const continues = found.state === "good" && (await earlier.isOriginal(births));
      if (!continues && found.state !== "none") {
        const why = found.state === "damaged" ? found.why : "it was copied or restored from a backup";
        const backupPath = `${path}.${randomUUID()}.old`;
        await rename(path, backupPath);
        log.warn({ why, aside: backupPath }, "the journal cannot be continued; a new one takes its place");
      }
      const journalId = continues ? found.journalId : randomUUID();
      const knowledge = continues ? found.knowledge : emptyKnowledge();
      // The lock cannot see processes in other containers: another device agent has compacted the file since it was
      // opened.
      if (continues && (await earlier.isReplaced())) return await Journal.open(path, log);
      const disk = await JournalDisk.create({ path, journalId, births }, knowledge);
      // Until now that device agent may have begun commands. Its next record is refused, since this file replaces the
      // one that it writes to.
      const missed = continues ? await earlier.appended() : [];
      for (const record of missed) apply(knowledge, record);
      if (missed.length > 0) await disk.rewrite(knowledge);
      return new Journal(journalId, knowledge, new JournalQueue(disk, knowledge, log), log);
    } finally {
      await earlier.close();
    }
  }

  /** The epoch of the newest stream that is on disk or being written; 0 before the first. */
  get epoch(): number {
    return this.#knowledge.epoch;
  }

  /** The newest of all commands that were ever begun. */
  get newestBegun(): string | undefined {
    return this.#knowledge.newestBegun;
  }

  /**
   * Records that the stream with this epoch is open. Commands that begin later are on disk no sooner. If the disk
   * fails, the record is written with the next one that can be.
   */
  async enterStream(epoch: number): Promise<void> {
    if (epoch <= this.#knowledge.epoch) return;
    const record: JournalRecord = { type: "stream", epoch, newestBegun: this.#knowledge.newestBegun };
    apply(this.#knowledge, record);
    await this.#queue
      .append(record)
      .catch((error: unknown) => this.#log.warn({ err: error }, "the journal could not be written"));
  }

  /**
   * Aborted with a {@link JournalReplacedError} once another device agent has replaced the file. From then on nothing
   * can begin.
   */
  get replaced(): AbortSignal {
    return this.#queue.replaced;
  }

  get(id: string): Readonly<JournalEntry> | undefined {
    return this.#knowledge.entries.get(id);
  }

  /** Whether the API has confirmed this command's end, within the length of two streams. */
  isConfirmed(id: string): boolean {
    return wasConfirmed(this.#knowledge, id);
  }

  /** All commands that were begun and are not confirmed. */
  all(): readonly Readonly<JournalEntry>[] {
    return [...this.#knowledge.entries.values()];
  }

  /**
   * Records that a command begins. When it resolves, the record is on disk; no work may be done before that.
   * @throws {Error} the file system's (usually ENOSPC), with nothing recorded
   */
  begin(id: string, tool: string): Promise<void> {
    return this.#queue.append({ type: "begin", id, tool });
  }

  /** Records what the command is about to make, so that it is found after a crash. On disk when it resolves. */
  note(id: string, note: unknown): Promise<void> {
    return this.#queue.append({ type: "note", id, note });
  }

  /**
   * Records how a command ended, immediately in memory. When it resolves, the outcome is on disk, or the API has
   * already confirmed it. If the disk fails, the outcome stays in memory until the process ends. Results that show
   * files or screens are never written.
   */
  async finish(id: string, outcome: Outcome): Promise<void> {
    const record: JournalRecord = { type: "finish", id, outcome };
    apply(this.#knowledge, record);
    if (!isOutcomeWritten(this.#knowledge.entries.get(id)?.tool ?? "")) return;
    try {
      await this.#queue.appendWithin(FINISH_WITHIN_MS, record);
    } catch (error) {
      this.#log.error(
        { err: error, commandId: id },
        "the outcome of a command could not be written to the journal",
      );
    }
  }

  /**
   * Deletes commands whose end the API has confirmed, and keeps their ids. The confirmation is written with the next
   * record, or soon. A lost confirmation is repeated.
   */
  confirm(ids: string[]): void {
    const knownIds = ids.filter((id) => this.#knowledge.entries.has(id));
    if (knownIds.length === 0) return;
    const record: JournalRecord = { type: "confirm", ids: knownIds, at: Date.now() };
    apply(this.#knowledge, record);
    // The outcomes of confirmed commands no longer need to be written.
    this.#queue.settle((waiting) => waiting.type === "finish" && knownIds.includes(waiting.id));
    this.#queue
      .appendWithin(CONFIRM_WITHIN_MS, record)
      .catch((error: unknown) => this.#log.warn({ err: error }, "the journal could not be written"));
  }

  /** Writes the waiting records, then closes the file. */
  close(): Promise<void> {
    return this.#queue.close();
  }
}
