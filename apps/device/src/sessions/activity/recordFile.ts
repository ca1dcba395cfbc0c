import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";

const READ_EVERY_MS = 500;
/** The most that one read takes; the next continues. */
const MAX_READ_BYTES = 1024 * 1024;
/** Longer lines are skipped: the lines that count are short. */
const MAX_LINE_LENGTH = 1024 * 1024;
/** A directory with more files than this, of this session's time, is not searched further. */
const MAX_CANDIDATES = 20;
/** Files have coarser times than the clock. */
export const CLOCK_SLACK_MS = 2_000;

/**
 * The state of a session by its agent's record. `perhaps_done`: done if its terminal also waits for input.
 * `limited`: a usage limit ended the turn.
 */
export type RecordedState = "working" | "perhaps_done" | "done" | "idle" | "limited";

export interface RecordDeps {
  /** The directory of the session. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** @param limitedUntil when the limit ends, in milliseconds since 1970 */
  onState: (state: RecordedState, limitedUntil?: number) => void;
}

/** Where an agent writes the record of its session: append-only lines of JSON. */
export interface RecordFormat {
  /** The directories that may hold the record, for a session that started at this time. */
  directories(startedAt: number): Promise<string[]> | string[];
  /** Which files are records. Their names begin with the time. */
  fileName: RegExp;
  /** Whether the record with this first line is of a session in the session's directory. */
  isOwn(firstLine: unknown): boolean;
  /** Called with each line, the first one included. Lines that are not JSON are left out. */
  onLine(line: unknown): void;
}

/** The records that running sessions follow, so that two sessions in one directory follow two. */
const followed = new Set<string>();

/**
 * Follows the record that an agent writes of its session. Only a file that was made after the start is read, and never
 * through a link.
 * @returns a function that ends this
 */
export function followRecordFile(format: RecordFormat): () => void {
  const reader = new RecordReader(format);
  let hasEnded = false;
  let timer: NodeJS.Timeout;
  const readAndWait = async () => {
    // A directory or file that cannot be read now may be later.
    await reader.read().catch(() => {});
    if (hasEnded) await reader.close();
    else waitAndRead();
  };
  const waitAndRead = () => {
    timer = setTimeout(() => void readAndWait(), READ_EVERY_MS).unref();
  };
  waitAndRead();
  return () => {
    hasEnded = true;
    clearTimeout(timer);
    void reader.close();
  };
}

class RecordReader {
  readonly #format: RecordFormat;
  readonly #startedAt = Date.now();
  #path: string | undefined;
  #file: FileHandle | undefined;
  #position = 0;
  #decoder = new StringDecoder("utf8");
  #line = "";

  constructor(format: RecordFormat) {
    this.#format = format;
  }

  async read(): Promise<void> {
    this.#file ??= await this.#find();
    if (!this.#file) return;
    const buffer = Buffer.alloc(MAX_READ_BYTES);
    const { bytesRead } = await this.#file.read(buffer, 0, MAX_READ_BYTES, this.#position);
    this.#position += bytesRead;
    const lines = (this.#line + this.#decoder.write(buffer.subarray(0, bytesRead))).split("\n");
    // The end of a line that is too long does not parse, and is skipped as well.
    this.#line = (lines.pop() ?? "").slice(0, MAX_LINE_LENGTH);
    for (const text of lines) {
      const line = parsed(text);
      if (line !== undefined) this.#format.onLine(line);
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    if (this.#path !== undefined) followed.delete(this.#path);
    await file?.close();
  }

  async #find(): Promise<FileHandle | undefined> {
    for (const directory of await this.#format.directories(this.#startedAt)) {
      const names = (await readdir(directory).catch(() => [])).filter((name) =>
        this.#format.fileName.test(name),
      );
      // The names begin with the time, so the newest are the last.
      for (const name of names.sort().slice(-MAX_CANDIDATES)) {
        const file = await this.#openIfOwn(join(directory, name));
        if (file) return file;
      }
    }
    return undefined;
  }

  async #openIfOwn(path: string): Promise<FileHandle | undefined> {
    if (followed.has(path)) return undefined;
    const found = await lstat(path);
    if (!found.isFile() || found.birthtimeMs < this.#startedAt - CLOCK_SLACK_MS) return undefined;
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    const buffer = Buffer.alloc(MAX_READ_BYTES);
    const { bytesRead } = await file.read(buffer, 0, MAX_READ_BYTES, 0);
    const [first = ""] = buffer.subarray(0, bytesRead).toString().split("\n");
    if (this.#format.isOwn(parsed(first)) && !followed.has(path)) {
      followed.add(path);
      this.#path = path;
      return file;
    }
    await file.close();
    return undefined;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
