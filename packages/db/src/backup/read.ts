import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { BackupError, type BackupHeader, FORMAT, type SummaryLine, type TableLine, VERSION } from "./format";
import { isBackupHeader, isSummaryLine, isTableLine } from "./isLine";

/** The longest line of a backup: a value has at most a few MiB. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** A section of a backup, in the order of the file. */
export type Part =
  | { header: BackupHeader }
  | { table: TableLine }
  | { rows: string[] }
  | { summary: SummaryLine };

/**
 * Reads a backup from its beginning to its end, a chunk at a time. When it ends without an error, the sum and the
 * counts are right.
 * @throws {BackupError} when the file is not a backup, is damaged, or ends too early
 */
export async function* readBackup(path: string): AsyncGenerator<Part> {
  const reader = new Reader(path);
  for await (const lines of linesOf(path, reader.hash)) yield* reader.parts(lines);
  reader.requireEnd();
}

/** Checks a whole backup, and returns its header and summary. */
export async function checkBackup(path: string): Promise<{ header: BackupHeader; summary: SummaryLine }> {
  let header: BackupHeader | undefined;
  let summary: SummaryLine | undefined;
  for await (const part of readBackup(path)) {
    if ("header" in part) header = part.header;
    if ("summary" in part) summary = part.summary;
  }
  if (!header || !summary) throw damaged(path, "it is not complete");
  return { header, summary };
}

class Reader {
  readonly hash = createHash("sha256");
  readonly #path: string;
  readonly #counts: SummaryLine["rows"] = {};
  #header = false;
  #table: string | undefined;
  #ended = false;

  constructor(path: string) {
    this.#path = path;
  }

  *parts(lines: string[]): Generator<Part> {
    let rows: string[] = [];
    for (const line of lines) {
      if (this.#ended) throw damaged(this.#path, "it has data after its end");
      if (this.#table !== undefined && line.startsWith("[")) {
        rows.push(line);
        continue;
      }
      if (rows.length > 0) yield this.#rows(rows);
      rows = [];
      yield this.#toPart(line);
    }
    if (rows.length > 0) yield this.#rows(rows);
  }

  requireEnd(): void {
    if (!this.#ended) throw damaged(this.#path, "its end is missing");
  }

  #rows(rows: string[]): Part {
    this.#counts[this.#table ?? ""] = (this.#counts[this.#table ?? ""] ?? 0) + rows.length;
    return { rows };
  }

  #toPart(line: string): Part {
    const value = parse(line);
    if (!this.#header) return { header: this.#readHeader(value) };
    if (isTableLine(value)) {
      this.#table = value.table;
      this.#counts[value.table] = 0;
      return { table: value };
    }
    if (isSummaryLine(value)) {
      this.#ended = true;
      if (value.sha256 !== this.hash.digest("hex")) throw damaged(this.#path, "its checksum is wrong");
      if (JSON.stringify(value.rows) !== JSON.stringify(this.#counts))
        throw damaged(this.#path, "its counts are wrong");
      return { summary: value };
    }
    throw damaged(this.#path, "it has an unknown line");
  }

  #readHeader(value: object | undefined): BackupHeader {
    const { format, version, release }: Partial<Record<string, unknown>> = { ...value };
    if (format !== FORMAT) throw notOurs(this.#path);
    if (version !== VERSION)
      throw new BackupError(
        `${this.#path} was made by a newer version of Grove (${release}): restore it with that version, or a later one.`,
      );
    if (!isBackupHeader(value)) throw damaged(this.#path, "its header is not complete");
    this.#header = true;
    return value;
  }
}

function parse(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The file's lines, as many as a chunk has. Each is added to the sum before it is returned, except for the last one,
 * which has the sum.
 */
async function* linesOf(path: string, hash: ReturnType<typeof createHash>): AsyncGenerator<string[]> {
  let incompleteLine = "";
  for await (const chunk of textOf(path)) {
    const text = incompleteLine + chunk;
    if (text.length > LONGEST_LINE) throw damaged(path, "it has a line that is too long");
    const end = text.lastIndexOf("\n", text.length - 2);
    if (end < 0) {
      incompleteLine = text;
      continue;
    }
    const completeLines = text.slice(0, end + 1);
    incompleteLine = text.slice(end + 1);
    hash.update(completeLines);
    yield completeLines.slice(0, -1).split("\n");
  }
  if (incompleteLine !== "") yield [incompleteLine.replace(/\n$/, "")];
}

async function* textOf(path: string): AsyncGenerator<string> {
  await stat(path).catch(() => {
    throw new BackupError(`There is no file ${path}.`);
  });
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(path), gunzip);
  // The loop below throws the same error.
  reading.catch(() => {});
  gunzip.setEncoding("utf8");
  try {
    for await (const chunk of gunzip) yield chunk;
    await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "Z_DATA_ERROR" && gunzip.bytesWritten === 0) throw notOurs(path);
    if (code?.startsWith("Z_"))
      throw damaged(path, code === "Z_BUF_ERROR" ? "its end is missing" : "its bytes have changed");
    throw error;
  }
}

const notOurs = (path: string) => new BackupError(`${path} is not a backup that Grove has made.`);
const damaged = (path: string, how: string) =>
  new BackupError(`The backup ${path} is damaged: ${how}. Nothing was changed. Take another backup.`);
