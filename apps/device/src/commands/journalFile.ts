import { type FileHandle, open } from "node:fs/promises";
import { commandError, id, keptMs, messageOf, protocol } from "@grove/schemas";
import * as z from "zod";
import { type FileIdentity, hasSameContent, identityOf } from "../home/fileIdentity";
import { isErrno } from "../lib/fileSystem";

/** How a command ended. */
const outcome = z.union([
  z.strictObject({ result: z.unknown().refine((value) => value !== undefined) }),
  z.strictObject({ error: commandError }),
  z.strictObject({ canceled: z.literal(true) }),
]);
export type Outcome = z.infer<typeof outcome>;

/** A command that was begun and whose end the API has not confirmed. */
export interface JournalEntry {
  id: string;
  tool: string;
  /** The tool's notes, written before it changed the disk. */
  notes: unknown[];
  /** Missing while the command runs, and after a crash. */
  outcome?: Outcome;
}

const header = z.strictObject({
  journalId: id,
  /** The identity of the file: a copied or restored one is another file, and must not pass for this journal. */
  inode: z.string(),
  born: z.string().optional(),
});
export type JournalHeader = z.infer<typeof header>;

const journalRecord = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("begin"), id, tool: z.string() }),
  z.strictObject({ type: z.literal("note"), id, note: z.unknown() }),
  z.strictObject({ type: z.literal("finish"), id, outcome }),
  /** `at` is the time of confirmation, in ms since 1970. */
  z.strictObject({ type: z.literal("confirm"), ids: z.array(id), at: z.number().optional() }),
  /** The stream with this epoch is open. `newestBegun`: see {@link Knowledge}. */
  z.strictObject({ type: z.literal("stream"), epoch: z.number().int(), newestBegun: id.optional() }),
]);
export type JournalRecord = z.infer<typeof journalRecord>;

/** The contents of a journal. */
export interface Knowledge {
  entries: Map<string, JournalEntry>;
  /** The commands that were confirmed last, oldest first, and when. */
  confirmed: Map<string, number>;
  /** The epoch of the newest stream; 0 before the first. It shows the API whether this file was rolled back. */
  epoch: number;
  /** The id of the newest command that ever began. Ids sort by time. */
  newestBegun: string | undefined;
}

export const emptyKnowledge = (): Knowledge => ({
  entries: new Map(),
  confirmed: new Map(),
  epoch: 0,
  newestBegun: undefined,
});

/**
 * If the API's database is restored during a stream, the API may send finished commands again. If it goes back further,
 * its epochs show that. A stream that has just ended may have lasted as long as its successor.
 */
const CONFIRMED_KEPT_MS = 2 * protocol.deviceStreamMs;
/** This bounds the memory and the file. */
const MAX_CONFIRMED = 50_000;

/** Whether the API confirmed the end of a command within `CONFIRMED_KEPT_MS`. */
export const wasConfirmed = ({ confirmed }: Knowledge, commandId: string): boolean =>
  (confirmed.get(commandId) ?? 0) > Date.now() - CONFIRMED_KEPT_MS;

/** Applies a record to the knowledge. */
export function apply(knowledge: Knowledge, record: JournalRecord): void {
  const { entries, confirmed } = knowledge;
  switch (record.type) {
    case "stream":
      knowledge.epoch = record.epoch;
      knowledge.newestBegun = newer(knowledge.newestBegun, record.newestBegun);
      break;
    case "begin":
      confirmed.delete(record.id);
      entries.set(record.id, { id: record.id, tool: record.tool, notes: [] });
      knowledge.newestBegun = newer(knowledge.newestBegun, record.id);
      break;
    case "note":
      entries.get(record.id)?.notes.push(record.note);
      break;
    case "finish": {
      const entry = entries.get(record.id);
      if (entry) entry.outcome = record.outcome;
      break;
    }
    case "confirm":
      for (const confirmedId of record.ids) {
        entries.delete(confirmedId);
        confirmed.delete(confirmedId);
        confirmed.set(confirmedId, record.at ?? Date.now());
      }
      for (const [oldest, at] of confirmed) {
        if (confirmed.size <= MAX_CONFIRMED && at > Date.now() - CONFIRMED_KEPT_MS) break;
        confirmed.delete(oldest);
      }
  }
}

const newer = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

/**
 * Whether the outcomes of a tool are written. Outcomes that show people's files or screens are only in memory: the
 * file would keep them for longer than the API does. After a crash such a command counts as interrupted, and can be run
 * again, since it changes nothing.
 */
export const isOutcomeWritten = (tool: string): boolean => keptMs(tool) === Number.POSITIVE_INFINITY;

/** The shortest list of records that yields this knowledge. */
export function* recordsOf(knowledge: Knowledge): Generator<JournalRecord> {
  const { entries, confirmed, epoch, newestBegun } = knowledge;
  yield { type: "stream", epoch, newestBegun };
  const since = Date.now() - CONFIRMED_KEPT_MS;
  const byTime = new Map<number, string[]>();
  for (const [commandId, at] of confirmed) {
    if (at <= since) continue;
    const ids = byTime.get(at);
    if (ids) ids.push(commandId);
    else byTime.set(at, [commandId]);
  }
  for (const [at, ids] of byTime) yield { type: "confirm", ids, at };
  for (const { id: commandId, tool, notes, outcome: ended } of entries.values()) {
    yield { type: "begin", id: commandId, tool };
    for (const note of notes) yield { type: "note", id: commandId, note };
    if (ended && isOutcomeWritten(tool)) yield { type: "finish", id: commandId, outcome: ended };
  }
}

export const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

export type ReadJournal =
  | { state: "none" }
  | { state: "good"; journalId: string; file: FileIdentity; knowledge: Knowledge }
  /** The file no longer shows which commands were begun. */
  | { state: "damaged"; why: string };

/** An open journal, which another process may still write. */
export interface OpenJournal {
  read: ReadJournal;
  /**
   * Whether the header names this file. A file that was copied or restored from a backup has another file's header.
   * @param births whether the file system records when a file was created
   */
  isOriginal(births: boolean): Promise<boolean>;
  /** The records that were appended since it was read. */
  appended(): Promise<JournalRecord[]>;
  /** Whether another file has taken its name. */
  isReplaced(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Opens a journal and reads it. Text after the last newline was never acknowledged and is ignored. So is a tail of
 * zeros that a power cut can leave. Anything else that cannot be read makes the journal damaged.
 * @throws {Error} the file system's if the file exists and cannot be read
 */
export async function openJournal(path: string): Promise<OpenJournal> {
  let handle: FileHandle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    if (!isErrno(error, "ENOENT")) throw error;
    const nothing = async () => {};
    return {
      read: { state: "none" },
      isOriginal: async () => false,
      appended: async () => [],
      isReplaced: async () => false,
      close: nothing,
    };
  }
  const bytes = await handle.readFile();
  const end = bytes.lastIndexOf("\n") + 1;
  const read = parse(bytes.toString("utf8", 0, end));
  return {
    read,
    // Asked of the open file: the path may lead to another one by now.
    isOriginal: async (births) =>
      read.state === "good" && hasSameContent(read.file, await identityOf(handle, births)),
    appended: async () => {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - end)), {
        position: end,
      });
      return linesOf(buffer.toString("utf8", 0, bytesRead)).map((line) =>
        journalRecord.parse(JSON.parse(line)),
      );
    },
    isReplaced: async () => (await handle.stat()).nlink === 0,
    close: () => handle.close(),
  };
}

/** Reads a journal; see {@link openJournal}. */
export async function readJournal(path: string): Promise<ReadJournal> {
  const journal = await openJournal(path);
  await journal.close();
  return journal.read;
}

function parse(content: string): ReadJournal {
  const lines = linesOf(content);
  const knowledge = emptyKnowledge();
  try {
    const { journalId, ...file } = header.parse(JSON.parse(lines.shift() ?? ""));
    for (const line of lines) apply(knowledge, journalRecord.parse(JSON.parse(line)));
    return { state: "good", journalId, file, knowledge };
  } catch (error) {
    return { state: "damaged", why: messageOf(error) };
  }
}

const linesOf = (content: string) => content.replace(/\0+$/, "").split("\n").slice(0, -1);
