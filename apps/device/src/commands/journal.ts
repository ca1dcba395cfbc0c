import { randomUUID } from "node:crypto";
import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { identityOf, isSameFile, keepsBirths } from "../home/fileIdentity";
import type { Log } from "../log";
import { JournalDisk } from "./journalDisk";
import {
  apply,
  type JournalEntry,
  type JournalRecord,
  type Knowledge,
  nothingKnown,
  type Outcome,
  readJournal,
  wasConfirmed,
} from "./journalFile";
import { JournalQueue } from "./journalQueue";

/** What reads the file beside the agent, such as `status`, sees a confirmation by then. */
const CONFIRM_WITHIN_MS = 100;
/** An outcome that the cloud has confirmed by then, as it nearly always has, need not be written: that is a write less. */
const FINISH_WITHIN_MS = 20;

/**
 * What this device has begun and what came of it: an append-only file that outlives crashes and power cuts.
 * Its id is the fence of commands (design, section 3): the cloud sends an unsettled command again to the same journal
 * only. One process may have it open; {@link lockHome} sees to that.
 */
export class Journal {
  private constructor(
    readonly id: string,
    private readonly known: Knowledge,
    private readonly queue: JournalQueue,
    private readonly log: Log,
  ) {}

  /**
   * Opens the journal, making one where there is none. A file that was copied or restored from a backup, or that is
   * damaged, does not know all that was begun since: it is put aside and a new journal, with a new id, takes its place.
   * @throws the file system's error when the file cannot be read or written
   */
  static async open(path: string, log: Log): Promise<Journal> {
    const found = await readJournal(path);
    const births = await keepsBirths(dirname(path));
    let journalId: string = randomUUID();
    let known = nothingKnown();
    if (found.state === "good" && isSameFile(found.file, await identityOf(path, births))) {
      journalId = found.journalId;
      known = found.knowledge;
    } else if (found.state !== "none") {
      const why = found.state === "damaged" ? found.why : "it was copied or restored from a backup";
      const aside = `${path}.${randomUUID()}.old`;
      await rename(path, aside);
      log.warn({ why, aside }, "the journal cannot be continued; a new one takes its place");
    }
    const disk = await JournalDisk.create({ path, journalId, births }, known);
    return new Journal(journalId, known, new JournalQueue(disk, known, log), log);
  }

  /** Aborted with a {@link JournalReplacedError} when the file is another agent's: nothing can begin from then on. */
  get replaced(): AbortSignal {
    return this.queue.replaced;
  }

  get(id: string): Readonly<JournalEntry> | undefined {
    return this.known.entries.get(id);
  }

  /** Whether the cloud has confirmed this command's end: one of the last 1 000, within a day. */
  isConfirmed(id: string): boolean {
    return wasConfirmed(this.known, id);
  }

  /** Every command that was begun and not yet confirmed. */
  all(): readonly Readonly<JournalEntry>[] {
    return [...this.known.entries.values()];
  }

  /**
   * Writes down that a command begins. Nothing of it may be done before this has resolved: then the record is on disk.
   * @throws the file system's error (ENOSPC above all), with nothing recorded
   */
  begin(id: string, tool: string): Promise<void> {
    return this.queue.append({ type: "begin", id, tool });
  }

  /** Writes down what the command is about to make, so that it is found after a crash. On disk when it resolves. */
  note(id: string, note: unknown): Promise<void> {
    return this.queue.append({ type: "note", id, note });
  }

  /**
   * Records how a command ended. The outcome is known from this call on. When it resolves, the disk has it, or the cloud
   * has confirmed it meanwhile; when the disk fails it is kept in memory, which is enough as long as the process lives.
   */
  async finish(id: string, outcome: Outcome): Promise<void> {
    const record: JournalRecord = { type: "finish", id, outcome };
    apply(this.known, record);
    try {
      await this.queue.appendWithin(FINISH_WITHIN_MS, record);
    } catch (error) {
      this.log.error(
        { err: error, commandId: id },
        "the outcome of a command could not be written to the journal",
      );
    }
  }

  /**
   * Forgets commands whose end the cloud has confirmed, but for their ids. That is written with the next record, or
   * soon: what is lost of it is just confirmed again.
   */
  confirm(ids: string[]): void {
    const known = ids.filter((id) => this.known.entries.has(id));
    if (known.length === 0) return;
    const record: JournalRecord = { type: "confirm", ids: known, at: Date.now() };
    apply(this.known, record);
    // Their outcomes need not be written any more.
    this.queue.settle((waiting) => waiting.type === "finish" && known.includes(waiting.id));
    this.queue
      .appendWithin(CONFIRM_WITHIN_MS, record)
      .catch((error: unknown) => this.log.warn({ err: error }, "the journal could not be written"));
  }

  /** Writes what is still waiting, then closes the file. */
  close(): Promise<void> {
    return this.queue.close();
  }
}
