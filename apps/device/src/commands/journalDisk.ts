import { constants, statSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { JournalReplacedError } from "../errors";
import { identityOf } from "../home/fileIdentity";
import { isErrno, syncDirectory, temporaryBeside } from "../lib/fileSystem";
import { type JournalHeader, type Knowledge, recordsOf, toLine } from "./journalFile";

/**
 * With O_DSYNC a write resolves once it is on disk. Each write takes one trip to the thread pool instead of two, and
 * each command needs several.
 */
const NEW_AND_DURABLE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC;

interface OpenFile {
  handle: FileHandle;
  inode: bigint;
  size: number;
}

/** The properties that all files of one journal share. */
interface JournalPlace {
  path: string;
  journalId: string;
  /** Whether the file system records when a file was created. */
  births: boolean;
}

/** The file of a journal, which only this process writes. */
export class JournalDisk {
  /** Whether the directory may still have the earlier file after a power cut. */
  #nameMayBeLost = false;
  readonly #place: JournalPlace;
  #file: OpenFile;

  private constructor(place: JournalPlace, file: OpenFile) {
    this.#place = place;
    this.#file = file;
  }

  /**
   * Puts a new file with only this knowledge in the journal's place.
   * @throws {Error} the file system's
   */
  static async create(place: JournalPlace, knowledge: Knowledge): Promise<JournalDisk> {
    const { file, named } = await replace(place, knowledge);
    await named;
    return new JournalDisk(place, file);
  }

  /** The size of the file in bytes. */
  get size(): number {
    return this.#file.size;
  }

  /**
   * Appends records. They are on disk when this resolves.
   * @throws {JournalReplacedError}, or the file system's error, with nothing appended
   */
  async append(lines: string): Promise<void> {
    const { handle, size } = this.#file;
    if (this.#nameMayBeLost) await this.#keepName();
    const bytes = Buffer.from(lines);
    try {
      await writeAll(handle, bytes, size);
      this.#requireSameFile();
    } catch (error) {
      // A part of the record may have reached the file, and must not precede the next record.
      await handle.truncate(size).catch(() => {});
      throw error;
    }
    this.#file.size += bytes.length;
  }

  /**
   * Replaces the file with a new one that holds only this knowledge.
   * @throws {JournalReplacedError}, or the file system's error. Then either file may be the journal; this object knows
   * which
   */
  async rewrite(knowledge: Knowledge): Promise<void> {
    this.#requireSameFile();
    const { file, named } = await replace(this.#place, knowledge);
    const earlier = this.#file.handle;
    this.#file = file;
    this.#nameMayBeLost = true;
    await Promise.all([named, earlier.close().catch(() => {})]);
    this.#nameMayBeLost = false;
  }

  close(): Promise<void> {
    return this.#file.handle.close();
  }

  /**
   * Synchronous, because each command needs it: a trip to the thread pool takes ten times as long.
   * @throws {JournalReplacedError} unless the path still leads to the open file
   */
  #requireSameFile(): void {
    const { path } = this.#place;
    let found: { ino: bigint } | undefined;
    try {
      found = statSync(path, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if (!isErrno(error, "ENOTDIR")) throw error;
    }
    if (found?.ino !== this.#file.inode) throw new JournalReplacedError(path);
  }

  async #keepName(): Promise<void> {
    await syncDirectory(dirname(this.#place.path));
    this.#nameMayBeLost = false;
  }
}

/**
 * Writes a new file and gives it the journal's name.
 * @returns the file, which is the journal from then on, and `named`, which resolves once the rename is durable
 */
async function replace(
  { path, journalId, births }: JournalPlace,
  knowledge: Knowledge,
): Promise<{ file: OpenFile; named: Promise<void> }> {
  const temporary = temporaryBeside(path);
  // Opened first: once the file has its name, this must not fail for lack of a file descriptor.
  const directory = await open(dirname(path), "r");
  let handle: FileHandle | undefined;
  try {
    handle = await open(temporary, NEW_AND_DURABLE, 0o600);
    const identity = await identityOf(handle, births);
    let content = toLine({ journalId, ...identity } satisfies JournalHeader);
    for (const record of recordsOf(knowledge)) content += toLine(record);
    const bytes = Buffer.from(content);
    await writeAll(handle, bytes, 0);
    await handle.sync();
    await rename(temporary, path);
    const file = { handle, inode: BigInt(identity.inode), size: bytes.length };
    return { file, named: syncAndClose(directory) };
  } catch (error) {
    await directory.close();
    await handle?.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, position);
  if (bytesWritten !== bytes.length) throw diskFull();
  // On macOS O_DSYNC leaves the data in the drive's own cache, which this flushes.
  if (process.platform === "darwin") await handle.datasync();
}

async function syncAndClose(directory: FileHandle): Promise<void> {
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** The error for a short write; the next write would have failed with it. */
const diskFull = (): Error =>
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
