import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CommandFailure } from "../../errors";
import { KILL_AFTER_MS } from "../../lib/program";
import { SESSION_VARIABLE } from "./environment";

/** KILL takes only the kernel's own time. */
const KILL_MS = 2_000;
const POLL_MS = 50;

/** The properties by which the processes of a session are recognized. */
export interface SessionMark {
  sessionId: string;
  /** The agent's own process while this device agent is its parent. Until then nothing else can get its number. */
  leader?: number | undefined;
}

/**
 * Ends all processes of a session. TERM and HUP come first (HUP is what a closing terminal sends, and interactive
 * shells ignore TERM). KILL follows after 5 s, repeatedly, for processes that were started in the meantime.
 * @returns whether none is left. A process may remain that only root could kill, or that is stuck in the kernel
 */
export const endProcesses = (mark: SessionMark, graceMs = KILL_AFTER_MS): Promise<boolean> =>
  endAll(() => sessionProcesses(mark), graceMs);

/** Like {@link endProcesses}, for all processes that inherited a variable (`NAME=value`) from ours. */
export const endInheritors = (variable: string): Promise<boolean> =>
  endAll(() => inheritors(variable, undefined), KILL_AFTER_MS);

export async function endAll(find: () => Promise<number[]>, graceMs = KILL_AFTER_MS): Promise<boolean> {
  const killAt = performance.now() + graceMs;
  const giveUpAt = killAt + KILL_MS;
  const terminatedPids = new Set<number>();
  for (;;) {
    const members = await find();
    if (members.length === 0) return true;
    const now = performance.now();
    if (now > giveUpAt) return false;
    for (const pid of members) {
      if (now > killAt) send(pid, "SIGKILL");
      else if (!terminatedPids.has(pid))
        for (const signal of ["SIGTERM", "SIGHUP", "SIGCONT"] as const) send(pid, signal);
      terminatedPids.add(pid);
    }
    await sleep(POLL_MS);
  }
}

/**
 * The live processes of a session: all that inherited its variable, even in other groups, on other terminals or with
 * other parents. On Linux this includes processes of the leader's session that have overwritten their environment.
 */
export const sessionProcesses = ({ sessionId, leader }: SessionMark): Promise<number[]> =>
  inheritors(`${SESSION_VARIABLE}=${sessionId}`, leader);

const inheritors = (variable: string, leader: number | undefined): Promise<number[]> =>
  // Environments are read as bytes, since they need not be valid UTF-8.
  process.platform === "linux"
    ? fromProc(Buffer.from(variable).toString("latin1"), leader)
    : fromPs(variable);

async function fromProc(variable: string, leader: number | undefined): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readEnvironment(pid);
      const belongs =
        environment.split("\0").includes(variable) ||
        (leader !== undefined && environment !== "" && (await readStat(pid))?.session === leader);
      return belongs ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** Timeout for a process that is becoming another program, by exec(2). It has no environment for a moment. */
const EXEC_MS = 1_000;

/** A process's environment as `NAME=value`s, each with a NUL; empty if it has ended or belongs to another user. */
export async function readEnvironment(pid: string): Promise<string> {
  const giveUpAt = performance.now() + EXEC_MS;
  for (;;) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => undefined);
    if (environment !== "") return environment ?? "";
    if (performance.now() > giveUpAt || !(await readStat(pid))?.hasEnvironment) return "";
    await sleep(1);
  }
}

/** Reads a process's fields from proc(5); undefined if it does not exist. */
export async function readStat(pid: number | string) {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, which may contain any character.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [, parent, group, session, , foregroundGroup] = fields;
  // Zombies and the kernel's threads have no memory. The last two are hidden, as 0, from other users.
  const [hasMemory, envStart, envEnd] = [fields[20] !== "0", fields[47], fields[48]];
  return {
    name: stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")")),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    foregroundGroup: Number(foregroundGroup),
    /** Whether its environment is not empty, or will not be once its exec(2) is complete. */
    hasEnvironment: hasMemory && (envEnd === "0" || envStart !== envEnd),
  };
}

/** The most open files of a process that are read. */
const MAX_FILES = 1_000;

/** The paths of a process's open files, as `/proc` has them; a socket is `socket:[<inode>]`. */
export async function* openFilesOf(pid: number): AsyncGenerator<string> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const file of files.slice(0, MAX_FILES))
    yield await readlink(`/proc/${pid}/fd/${file}`).catch(() => "");
}

/** `-E` makes ps print the environment after the command, on macOS and the BSDs. */
async function fromPs(variable: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-E", "-ww", "-o", "pid=,command="], {
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => (line.includes(variable) ? [Number.parseInt(line, 10)] : []));
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has already ended.
  }
}

export const notEnded = (sessionId: string): CommandFailure =>
  new CommandFailure(
    "not_ended",
    `Some processes of the agent session ${sessionId} could not be ended. Check the machine.`,
  );
