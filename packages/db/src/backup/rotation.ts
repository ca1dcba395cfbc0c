import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { GroveDatabase } from "../open";
import { type BackupResult, type Describe, writeBackup } from "./write";

/** How many backups are kept: one a night, for a week. */
const KEPT_BACKUPS = 7;

/** `grove-2026-11-23T03-00-00Z.backup.gz`: names sort by time. */
const nameAt = (time: Date) => `grove-${time.toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup.gz`;
const named = /^grove-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.backup\.gz$/;

/** The times of a directory's backups, the oldest first. */
export async function listBackups(directory: string): Promise<{ path: string; time: Date }[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return names.sort().flatMap((name) => {
    const [, day, hours, minutes, seconds] = named.exec(name) ?? [];
    return day === undefined
      ? []
      : [{ path: join(directory, name), time: new Date(`${day}T${hours}:${minutes}:${seconds}Z`) }];
  });
}

/** Adds a backup to a directory, then deletes all but the newest seven. */
export async function addBackup(
  database: Pick<GroveDatabase, "db" | "engine">,
  directory: string,
  describe: Describe,
  { now = new Date(), signal }: { now?: Date; signal?: AbortSignal } = {},
): Promise<BackupResult & { path: string }> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, nameAt(now));
  const backup = await writeBackup(database, path, describe, { signal });
  for (const old of (await listBackups(directory)).slice(0, -KEPT_BACKUPS))
    await rm(old.path, { force: true });
  return { path, ...backup };
}
