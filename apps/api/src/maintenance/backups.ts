import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { addBackup, type Describe, listBackups } from "@grove/db";
import { version } from "../../package.json";
import { sealedSamples } from "../secrets/sealed";
import type { Services } from "../services";

const CHECK_EVERY_MS = 10 * 60_000;
/** The hour at which a backup is due, in the machine's time zone. */
const BACKUP_HOUR = 3;
/** Disk space that a backup must leave free: the embedded database stops without it. */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

/** The directory of an embedded database's own backups. */
export const backupDirectory = (dataDir: string): string => join(dataDir, "backups");

/** The release and the sealed samples for a backup's header. */
export const describeBackup: Describe = async (trx) => ({
  release: version,
  sealed: (await sealedSamples(trx)).map(({ keyId, sealed, identity }) => ({ keyId, sealed, identity })),
});

/**
 * Whether a night has begun since the last backup. A machine that was asleep at the time makes the backup when it
 * wakes.
 */
export function isDue(last: Date, now: Date): boolean {
  const night = new Date(now);
  night.setHours(BACKUP_HOUR, 0, 0, 0);
  if (night > now) night.setDate(night.getDate() - 1);
  return last < night;
}

/**
 * Backs up the embedded database each night, since it may lose data in a power cut.
 * @returns a function that aborts a backup in progress and stops the schedule
 */
export function startBackups({ database, config, log, draining }: Services): () => Promise<void> {
  const options = config.backups;
  if (!options) return async () => {};
  const { dataDir, everyMs = CHECK_EVERY_MS, now = () => new Date() } = options;
  const directory = backupDirectory(dataDir);
  const backUpIfDue = async () => {
    const last = (await listBackups(directory)).at(-1);
    // Without a backup, the first is due in the night after the database was created.
    const since = last?.time ?? (await stat(join(dataDir, "pgdata", "PG_VERSION"))).mtime;
    if (!isDue(since, now())) return;
    const { bavail, bsize } = await statfs(dataDir);
    const requiredBytes = MIN_FREE_BYTES + 2 * (last ? (await stat(last.path)).size : 0);
    if (bavail * bsize < requiredBytes)
      return log.error({ directory }, "not enough disk space for a backup: free some");
    const { path, rows, bytes } = await addBackup(database, directory, describeBackup, {
      now: now(),
      signal: draining,
    });
    log.info({ path, rows, bytes }, "backed up");
  };
  let busy: Promise<void> | undefined;
  const timer = setInterval(() => {
    busy ??= backUpIfDue()
      .catch((error) => {
        if (!draining.aborted) log.error({ err: error, directory }, "could not back up");
      })
      .finally(() => {
        busy = undefined;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await busy;
  };
}
