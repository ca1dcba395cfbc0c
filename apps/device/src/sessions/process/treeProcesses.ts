import { readdir, readFile, readlink } from "node:fs/promises";
import { runLsof } from "./lsof";
import { endAll, openFilesOf, readEnvironment, readStat } from "./processes";

/** A process that works in a directory. */
export interface TreeProcess {
  pid: number;
  /** The program's name, as the system shows it. */
  name: string;
  /** A directory or file of the tree that it uses; undefined if only its environment belongs to the tree. */
  uses: string | undefined;
}

/** The properties by which the processes of a worktree are recognized. */
export interface TreeMark {
  /** The worktree's real path. */
  path: string;
  /** A variable (`NAME=value`) that the processes of the worktree inherit. */
  variable: string;
}

/**
 * Returns the processes of a worktree: their working directory, program or an open file is in it, or their environment
 * names it. Leaves out this process, its ancestors, and the git that it runs itself. The source is `/proc` on Linux,
 * and elsewhere `lsof`, if it is installed. Processes of other users are visible only to root.
 */
export async function treeProcesses(mark: TreeMark): Promise<TreeProcess[]> {
  return process.platform === "linux" ? fromProc(mark) : fromLsof(mark);
}

/**
 * Ends all processes of a worktree: TERM and HUP, then KILL after a grace period.
 * @returns whether none is left
 */
export const endTreeProcesses = (mark: TreeMark, graceMs?: number): Promise<boolean> =>
  endAll(async () => (await treeProcesses(mark)).map(({ pid }) => pid), graceMs);

async function fromProc(mark: TreeMark): Promise<TreeProcess[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const above = await ancestors(process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (above.has(pid)) return [];
      const uses = await usedIn(pid, mark.path);
      const belongs =
        uses !== undefined || (await readEnvironment(`${pid}`)).split("\0").includes(mark.variable);
      const stat = belongs && !(await isOwnGit(pid)) ? await readStat(pid) : undefined;
      return stat ? [{ pid, name: stat.name, uses }] : [];
    }),
  );
  return found.flat();
}

/** A working directory, program or open file of a process that is in a directory. */
async function usedIn(pid: number, directory: string): Promise<string | undefined> {
  const isInside = (path: string) => path === directory || path.startsWith(`${directory}/`);
  const linked = (name: string) => readlink(`/proc/${pid}/${name}`).catch(() => "");
  for (const name of ["cwd", "exe"]) {
    const path = await linked(name);
    if (isInside(path)) return path;
  }
  for await (const path of openFilesOf(pid)) if (isInside(path)) return path;
  return undefined;
}

/** A process and those that started it. */
async function ancestors(pid: number): Promise<Set<number>> {
  const all = new Set<number>();
  for (let each = pid; each > 0 && !all.has(each); each = (await readStat(each))?.parent ?? 0) all.add(each);
  return all;
}

/** Whether a process is a git that this process runs, or was started by it. It only reads, and ends soon. */
async function isOwnGit(pid: number): Promise<boolean> {
  for (const each of await ancestors(pid)) {
    const stat = await readStat(each);
    if (stat?.parent === process.pid) return stat.name === "git";
  }
  return false;
}

async function fromLsof({ path }: TreeMark): Promise<TreeProcess[]> {
  const stdout = await runLsof(["-u", `${process.getuid?.()}`, "-F", "pcRn"]);
  const found: TreeProcess[] = [];
  let current: TreeProcess & { parent: number } = { pid: 0, name: "", uses: undefined, parent: 0 };
  for (const line of stdout.split("\n")) {
    const value = line.slice(1);
    if (line.startsWith("p")) current = { pid: Number(value), name: "", uses: undefined, parent: 0 };
    else if (line.startsWith("c")) current.name = value;
    else if (line.startsWith("R")) current.parent = Number(value);
    else if (line.startsWith("n") && current.uses === undefined && `${value}/`.startsWith(`${path}/`)) {
      current.uses = value;
      const { pid, name, parent } = current;
      const isOwn = pid === process.pid || pid === process.ppid || (parent === process.pid && name === "git");
      if (!isOwn) found.push({ pid, name, uses: value });
    }
  }
  return found;
}

/** Whether a text contains a path, or one beneath it, and not only a longer name. */
function namesPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1))
    if (!/^[\w.-]/.test(text.slice(at + path.length))) return true;
  return false;
}

/**
 * The programs whose arguments name a directory. They may write to it without an open file in it. Empty without
 * `/proc`.
 */
export async function mentions(directory: string): Promise<TreeProcess[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const above = await ancestors(process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      if (above.has(pid)) return [];
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (!namesPath(line, directory) || (await isOwnGit(pid))) return [];
      const stat = await readStat(pid);
      return stat ? [{ pid, name: stat.name, uses: undefined }] : [];
    }),
  );
  return found.flat();
}
