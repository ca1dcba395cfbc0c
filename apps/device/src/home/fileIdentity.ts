import { randomUUID } from "node:crypto";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The properties that distinguish a file from all others, even from one that had its inode number before. */
export interface FileIdentity {
  inode: string;
  /** When the file was created, in nanoseconds. Missing if the file system does not record it. */
  born?: string | undefined;
}

/** The clock of a file system has a resolution of 1 to 10 ms. */
const TICK_MS = 20;

/**
 * Whether the file system of a directory records when a file was created. If it does not, Node returns 0 or the time of
 * the last change. So this changes a new file and compares.
 * @throws {Error} the file system's if no file can be created there
 */
export async function keepsBirths(directory: string): Promise<boolean> {
  const path = join(directory, `.birth.${randomUUID()}.tmp`);
  const file = await open(path, "wx", 0o600);
  try {
    await sleep(TICK_MS);
    await file.chmod(0o600);
    const { birthtimeNs, ctimeNs } = await file.stat({ bigint: true });
    return birthtimeNs !== 0n && birthtimeNs !== ctimeNs;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

/** @param births the result of {@link keepsBirths} for the file's directory */
export async function identityOf(file: FileHandle, births: boolean): Promise<FileIdentity> {
  const { ino, birthtimeNs } = await file.stat({ bigint: true });
  return { inode: String(ino), born: births ? String(birthtimeNs) : undefined };
}

/** If either file has no creation time, the inode numbers alone decide. */
export const hasSameContent = (one: FileIdentity, other: FileIdentity): boolean =>
  one.inode === other.inode &&
  (one.born === undefined || other.born === undefined || one.born === other.born);
