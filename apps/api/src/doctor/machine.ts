import { readFileSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { listBackups } from "@grove/db";
import { type DoctorFinding, finding, messageOf } from "@grove/schemas";
import type { Env } from "../env";
import { codeOf } from "../lib/errorCode";
import { backupDirectory } from "../maintenance/backups";

/** The last day of each major version of Node, by its public schedule. */
const ends: Record<number, string> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};
/** A device takes about two open files. */
const FILES_PER_DEVICE = 2;
const MIN_FILES = 2_048;
const MIN_FREE_BYTES = 1024 ** 3;
/** Two nights, and half a day for machines that sleep. */
const OLDEST_BACKUP_MS = 60 * 3_600_000;

/** @param version as `process.version`: `v24.1.0` */
export function examineNode(version: string, now = new Date()): DoctorFinding {
  const end = ends[Number(/^v(\d+)/.exec(version)?.[1])];
  return end !== undefined && new Date(end) < now
    ? finding.warn(
        "node",
        `Node ${version} has had no security updates since ${end}`,
        "Install a version of Node with long-term support.",
      )
    : finding.ok("node", `Node ${version}`);
}

/** How many files this process may open. */
export function examineFiles(): DoctorFinding {
  const maxFiles = openFiles();
  if (maxFiles === undefined) return finding.ok("files", "not limited, or not known on this system");
  const devices = Math.floor(maxFiles / FILES_PER_DEVICE);
  return maxFiles < MIN_FILES
    ? finding.warn(
        "files",
        `a process may open ${maxFiles} files, enough for about ${devices} devices`,
        "Raise the limit: LimitNOFILE=65536 in the systemd unit, nofile in the container's ulimits, or ulimit -n.",
      )
    : finding.ok("files", `${maxFiles} open files, enough for about ${devices} devices`);
}

function openFiles(): number | undefined {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const maxFiles = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
    return Number.isNaN(maxFiles) ? undefined : maxFiles;
  } catch {
    return undefined;
  }
}

/** Checks the directory of the embedded database: free space, key, backups. */
export async function examineDirectory(
  { dataDir, vaultKeys }: Pick<Env, "dataDir" | "vaultKeys">,
  { minFreeBytes = MIN_FREE_BYTES, now = new Date() } = {},
): Promise<DoctorFinding[]> {
  try {
    const { bavail, bsize } = await statfs(dataDir);
    const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB are free at ${dataDir}`;
    const findings = [
      bavail * bsize < minFreeBytes
        ? finding.fail(
            "disk",
            free,
            "Free some space, or move DATA_DIR to a larger disk: when the disk is full, changes are refused.",
          )
        : finding.ok("disk", free),
    ];
    if (vaultKeys === undefined) findings.push(...(await examineKeyFile(join(dataDir, "credentials.key"))));
    findings.push(await examineBackups(dataDir, now));
    return findings;
  } catch (error) {
    if (codeOf(error) === "ENOENT")
      return [
        finding.warn(
          "disk",
          `there is nothing in ${dataDir} yet`,
          "Start the server, or set DATA_DIR to where its data is.",
        ),
      ];
    return [
      finding.fail(
        "disk",
        `${dataDir} cannot be read: ${messageOf(error)}`,
        "Make the user that runs Grove its owner.",
      ),
    ];
  }
}

async function examineKeyFile(path: string): Promise<DoctorFinding[]> {
  const found = await stat(path).catch(() => undefined);
  // Without secrets, no key may exist yet. The check of the secrets reports a key that is missing.
  if (!found) return [];
  return (found.mode & 0o077) !== 0
    ? [finding.fail("key file", `other users of this machine can read ${path}`, `Run: chmod 600 ${path}`)]
    : [finding.ok("key file", `only its owner can read ${path}`)];
}

async function examineBackups(dataDir: string, now: Date): Promise<DoctorFinding> {
  const directory = backupDirectory(dataDir);
  const last = (await listBackups(directory)).at(-1)?.time;
  const since = last ?? (await stat(join(dataDir, "pgdata", "PG_VERSION"))).mtime;
  const lastBackupText = last
    ? `the last backup was made at ${last.toISOString()}`
    : "there is no backup yet";
  return now.getTime() - since.getTime() > OLDEST_BACKUP_MS
    ? finding.warn(
        "backups",
        lastBackupText,
        `Start the server: it makes a backup soon, in ${directory}. If it does not, check its log.`,
      )
    : finding.ok("backups", lastBackupText);
}
