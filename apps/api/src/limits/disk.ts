import { statfs } from "node:fs/promises";
import { GroveError } from "@grove/auth";
import type { FastifyBaseLogger } from "fastify";

/** The free space that the embedded database needs to write: a few segments of 16 MiB of its write-ahead log. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;
const CHECK_EVERY_MS = 2_000;

/** The embedded database's directory, and the space that must be free there. */
export interface DiskOptions {
  dataDir: string;
  /** 64 MiB by default. */
  minFreeBytes?: number;
}

/** Checks whether the disk has space for writes. */
export interface Disk {
  /** @throws {GroveError} SERVICE_UNAVAILABLE `disk_full` */
  requireSpace(): void;
  close(): void;
}

/**
 * Watches the disk of the embedded database. Without space for the next segment of its log, PGlite does not fail but
 * loops forever and blocks the process. So writes are refused before that.
 */
export async function watchDisk(options: DiskOptions, log: FastifyBaseLogger): Promise<Disk> {
  const { dataDir } = options;
  let isFull = false;
  const checkSpace = async () => {
    const { minFreeBytes = MIN_FREE_BYTES } = options;
    const { bavail, bsize } = await statfs(dataDir);
    const freeBytes = bavail * bsize;
    const wasFull = isFull;
    isFull = freeBytes < minFreeBytes;
    if (isFull && !wasFull) log.error({ dataDir, freeBytes }, "the disk is full: changes are refused");
    if (wasFull && !isFull)
      log.warn({ dataDir, freeBytes }, "the disk has space again: changes are accepted");
  };
  const recheck = () =>
    checkSpace().catch((error) => log.warn({ err: error, dataDir }, "could not check the free disk space"));
  await recheck();
  const timer = setInterval(() => void recheck(), CHECK_EVERY_MS).unref();
  return {
    requireSpace: () => {
      if (isFull)
        throw new GroveError(
          "SERVICE_UNAVAILABLE",
          "The server's disk is full, so nothing can be changed. Its operator must free some space.",
          { reason: "disk_full" },
        );
    },
    close: () => clearInterval(timer),
  };
}

/** For a database server, which watches its own disk: without space, statements fail with an error. */
export const noDisk: Disk = { requireSpace: () => {}, close: () => {} };
