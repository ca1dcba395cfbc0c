import { constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { commandError, id } from "@grove/schemas";
import * as z from "zod";
import { readIfThere, syncDirectory, temporaryBeside } from "./home";

/** How a command ended. */
const outcome = z.union([
  z.strictObject({ result: z.unknown().refine((value) => value !== undefined) }),
  z.strictObject({ error: commandError }),
  z.strictObject({ canceled: z.literal(true) }),
]);
export type Outcome = z.infer<typeof outcome>;

/** What is known of a command that was begun and whose end the cloud has not confirmed. */
export interface JournalEntry {
  id: string;
  tool: string;
  /** What the tool wrote down before it changed the disk. */
  notes: unknown[];
  /** Missing while it runs, and after a crash. */
  outcome?: Outcome;
}

const header = z.strictObject({
  journalId: id,
  /** The file's own inode number: a copied or restored file has another, and must not pass for this journal. */
  inode: z.string(),
});

const journalRecord = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("begin"), id, tool: z.string() }),
  z.strictObject({ type: z.literal("note"), id, note: z.unknown() }),
  z.strictObject({ type: z.literal("finish"), id, outcome }),
  z.strictObject({ type: z.literal("confirm"), ids: z.array(id) }),
]);
export type JournalRecord = z.infer<typeof journalRecord>;

export type Entries = Map<string, JournalEntry>;

/** What a record does to what is known. */
export function apply(entries: Entries, record: JournalRecord): void {
  switch (record.type) {
    case "begin":
      entries.set(record.id, { id: record.id, tool: record.tool, notes: [] });
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
      for (const confirmed of record.ids) entries.delete(confirmed);
  }
}

/** The shortest list of records that gives these entries. */
function* recordsOf(entries: Entries): Generator<JournalRecord> {
  for (const { id, tool, notes, outcome } of entries.values()) {
    yield { type: "begin", id, tool };
    for (const note of notes) yield { type: "note", id, note };
    if (outcome) yield { type: "finish", id, outcome };
  }
}

export const toLine = (value: unknown): string => `${JSON.stringify(value)}\n`;

export type ReadJournal =
  | { state: "none" }
  | { state: "good"; journalId: string; inode: string; entries: Entries }
  /** It cannot say any more what was begun. */
  | { state: "damaged"; why: string };

/**
 * Reads a journal. What stands after the last newline was never acknowledged, so it is left out, and so is a tail of
 * zeros that a power cut can leave; anything else that cannot be read makes the journal damaged.
 */
export async function readJournal(path: string): Promise<ReadJournal> {
  const content = await readIfThere(path);
  if (content === undefined) return { state: "none" };
  const lines = content.replace(/\0+$/, "").split("\n").slice(0, -1);
  const entries: Entries = new Map();
  try {
    const { journalId, inode } = header.parse(JSON.parse(lines.shift() ?? ""));
    for (const line of lines) apply(entries, journalRecord.parse(JSON.parse(line)));
    return { state: "good", journalId, inode, entries };
  } catch (error) {
    return { state: "damaged", why: error instanceof Error ? error.message : String(error) };
  }
}

/** A write to it resolves once it is on disk: one trip to the thread pool instead of two, of which each command takes some. */
const NEW_AND_DURABLE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

/** Puts a new file in the journal's place, with nothing in it but what is still open. */
export async function rewriteJournal(
  path: string,
  journalId: string,
  entries: Entries,
): Promise<{ file: FileHandle; size: number }> {
  const temporary = temporaryBeside(path);
  const file = await open(temporary, NEW_AND_DURABLE, 0o600);
  try {
    const { ino } = await file.stat({ bigint: true });
    let content = toLine({ journalId, inode: String(ino) } satisfies z.infer<typeof header>);
    for (const record of recordsOf(entries)) content += toLine(record);
    const { bytesWritten } = await file.write(content, 0);
    if (bytesWritten !== Buffer.byteLength(content)) throw diskFull();
    await file.sync();
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return { file, size: bytesWritten };
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A write that came back short: the next one would have failed with this. */
export const diskFull = (): Error =>
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
