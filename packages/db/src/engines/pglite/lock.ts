import { execFileSync } from "node:child_process";
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DataDirectoryLockedError } from "../../errors";

/** The holder of a lock. The start time distinguishes a process from a later one with the same id. */
interface Holder {
  pid: number;
  started: string;
}

/**
 * Locks the embedded database in `directory` for this process, until the returned function is called or the process
 * ends in any way. The lock works between the processes of one machine, and not between containers that share a volume.
 *
 * The lock is the file `pgdata.lock.<n>` with the highest n. A process that finds its holder dead creates n + 1, which
 * only one process can do, and only then removes the other files. With a single lock file, a process could remove a
 * lock that already has a new holder.
 * @throws {DataDirectoryLockedError} when a living process holds the lock, even this one
 */
export function lockDataDirectory(directory: string): () => void {
  const ownProcess: Holder = { pid: process.pid, started: startTime(process.pid) ?? "" };
  while (true) {
    const newest = generations(directory).at(-1) ?? 0;
    const holder = newest === 0 ? undefined : readHolder(directory, newest);
    if (holder && startTime(holder.pid) === holder.started)
      throw new DataDirectoryLockedError(directory, holder.pid);
    const generation = newest + 1;
    if (!create(directory, generation, ownProcess)) continue;
    const all = generations(directory);
    if (all.at(-1) !== generation) {
      // Another process was two generations ahead, and had removed the file that this process had found.
      rmSync(path(directory, generation), { force: true });
      continue;
    }
    for (const older of all.slice(0, -1)) rmSync(path(directory, older), { force: true });
    // Empties the file instead of removing it, since the numbers must keep rising.
    return () => writeFileSync(path(directory, generation), "");
  }
}

const path = (directory: string, generation: number) => join(directory, `pgdata.lock.${generation}`);

/** Returns the numbers of the existing lock files, in ascending order. */
const generations = (directory: string): number[] =>
  readdirSync(directory)
    .map((name) => Number(/^pgdata\.lock\.(\d+)$/.exec(name)?.[1]))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);

/** Returns undefined if the lock was released, has just been removed, or was damaged by a power cut. */
function readHolder(directory: string, generation: number): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path(directory, generation), "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Creates the lock file with its content, atomically. Returns false if the file already exists. */
function create(directory: string, generation: number, holder: Holder): boolean {
  const draft = join(directory, `pgdata.lock.draft.${holder.pid}`);
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, path(directory, generation));
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(draft);
  }
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && "code" in error && error.code === code;

/** The start time of a living process, in the system's own form; undefined if no process has that id. */
function startTime(pid: number): string | undefined {
  if (process.platform === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // After the command's name, which may contain any character: from field 3, the state, to 22, the start in ticks.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // A zombie: dead, but its parent has not waited for it yet.
      if (fields[0] === "Z") return undefined;
      return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
    } catch {
      return undefined;
    }
  }
  try {
    const env = { ...process.env, LC_ALL: "C", TZ: "UTC" };
    return execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { env, encoding: "utf8" }).trim();
  } catch {
    return undefined;
  }
}
