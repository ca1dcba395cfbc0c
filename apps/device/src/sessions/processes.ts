import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { ToolError } from "../errors";
import { SESSION_VARIABLE } from "./environment";

const GRACE_MS = 5_000;
/** KILL needs no more than the kernel's own time. */
const KILL_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** How the processes of a session are told from others. */
export interface SessionMark {
  sessionId: string;
  /** The agent's own process, while this device agent is its parent: then no other process can have the number. */
  leader?: number | undefined;
}

/**
 * Ends all processes of a session: TERM and HUP (which is what a closing terminal sends, and interactive shells ignore
 * TERM), then KILL after 5 s, again and again for what was born meanwhile.
 * @returns whether none is left; one may be that only root could kill, or that hangs in the kernel
 */
export const endProcesses = (mark: SessionMark, graceMs = GRACE_MS): Promise<boolean> =>
  endAll(() => sessionProcesses(mark), graceMs);

/** As {@link endProcesses}, for all that inherited a variable (`NAME=value`) of what a device agent has started. */
export const endInheritors = (variable: string): Promise<boolean> =>
  endAll(() => inheritors(variable, undefined), GRACE_MS);

async function endAll(find: () => Promise<number[]>, graceMs: number): Promise<boolean> {
  const killAt = performance.now() + graceMs;
  const giveUpAt = killAt + KILL_MS;
  const asked = new Set<number>();
  for (;;) {
    const members = await find();
    if (members.length === 0) return true;
    const now = performance.now();
    if (now > giveUpAt) return false;
    for (const pid of members) {
      if (now > killAt) send(pid, "SIGKILL");
      else if (!asked.has(pid))
        for (const signal of ["SIGTERM", "SIGHUP", "SIGCONT"] as const) send(pid, signal);
      asked.add(pid);
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * The live processes of a session: all that inherited its variable, wherever they have gone (other groups, other
 * terminals, other parents), and on Linux those of the leader's session that have overwritten their environment.
 */
export const sessionProcesses = ({ sessionId, leader }: SessionMark): Promise<number[]> =>
  inheritors(`${SESSION_VARIABLE}=${sessionId}`, leader);

const inheritors = (variable: string, leader: number | undefined): Promise<number[]> =>
  process.platform === "linux" ? fromProc(variable, leader) : fromPs(variable);

async function fromProc(variable: string, leader: number | undefined): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Other users' cannot be read. A zombie's is empty: it has ended.
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      const belongs =
        environment.split("\0").includes(variable) ||
        (leader !== undefined && environment !== "" && (await readStat(pid))?.session === leader);
      return belongs ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

/** What proc(5) says of a process; undefined when there is none. */
export async function readStat(pid: number | string) {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (stat === undefined) return undefined;
  // The second field is the program's name in parentheses, which may itself hold anything.
  const [, , group, session, , foregroundGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { group: Number(group), session: Number(session), foregroundGroup: Number(foregroundGroup) };
}

/** `-E` shows the environment after the command, on macOS and the BSDs. */
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
    // It has ended already.
  }
}

export const notEnded = (sessionId: string): ToolError =>
  new ToolError(
    "not_ended",
    `Processes of the agent session ${sessionId} are left that could not be ended. Look at the machine.`,
  );
