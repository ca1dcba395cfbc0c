import { commandError, id, keptMs } from "@grove/schemas";
import * as z from "zod";
import type { FileIdentity } from "../home/fileIdentity";
import { readIfThere } from "../home/home";

/** How a command ended. */
const outcome = z.union([
  z.strictObject({ result: z.unknown().refine((value) => value !== undefined) }),
  z.strictObject({ error: commandError }),
  z.strictObject({ canceled: z.literal(true) }),
]);
export type Outcome = z.infer<typeof outcome>;

/** A command that was begun and whose end the cloud has not confirmed. */
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
]);
export type JournalRecord = z.infer<typeof journalRecord>;

/** The contents of a journal. */
export interface Knowledge {
  entries: Map<string, JournalEntry>;
  /** The commands that were confirmed last, oldest first, and when. */
  confirmed: Map<string, number>;
}

export const nothingKnown = (): Knowledge => ({ entries: new Map(), confirmed: new Map() });

/** If the cloud's database goes back in time, it may send finished commands again, but not later than this. */
const REMEMBERED_MS = 86_400_000;
const REMEMBERED = 1_000;

/** Whether a command was confirmed, among the last 1 000 within a day. */
export const wasConfirmed = ({ confirmed }: Knowledge, commandId: string): boolean =>
  (confirmed.get(commandId) ?? 0) > Date.now() - REMEMBERED_MS;

/** Applies a record to the knowledge. */
export function apply({ entries, confirmed }: Knowledge, record: JournalRecord): void {
  switch (record.type) {
    case "begin":
      confirmed.delete(record.id);
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
      for (const confirmedId of record.ids) {
        entries.delete(confirmedId);
        confirmed.delete(confirmedId);
        confirmed.set(confirmedId, record.at ?? Date.now());
      }
      for (const oldest of confirmed.keys()) {
        if (confirmed.size <= REMEMBERED) break;
        confirmed.delete(oldest);
      }
  }
}

/**
 * Whether the outcomes of a tool are written. Those that show people's files or screens are only in memory: the file
 * would keep them for longer than the cloud does. After a crash such a command counts as interrupted, and can be run
 * again, since it changes nothing.
 */
export const isOutcomeWritten = (tool: string): boolean => keptMs(tool) === Number.POSITIVE_INFINITY;

/** The shortest list of records that yields this knowledge. */
export function* recordsOf({ entries, confirmed }: Knowledge): Generator<JournalRecord> {
  const since = Date.now() - REMEMBERED_MS;
  const byTime = new Map<number, string[]>();
  for (const [commandId, at] of confirmed)
    if (at > since) byTime.set(at, [...(byTime.get(at) ?? []), commandId]);
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

/**
 * Reads a journal. Text after the last newline was never acknowledged and is ignored. So is a tail of zeros that a
 * power cut can leave. Anything else that cannot be read makes the journal damaged.
 */
export async function readJournal(path: string): Promise<ReadJournal> {
  const content = await readIfThere(path);
  if (content === undefined) return { state: "none" };
  const lines = content.replace(/\0+$/, "").split("\n").slice(0, -1);
  const knowledge = nothingKnown();
  try {
    const { journalId, ...file } = header.parse(JSON.parse(lines.shift() ?? ""));
    for (const line of lines) apply(knowledge, journalRecord.parse(JSON.parse(line)));
    return { state: "good", journalId, file, knowledge };
  } catch (error) {
    return { state: "damaged", why: error instanceof Error ? error.message : String(error) };
  }
}
