import { readdir, readFile, readlink } from "node:fs/promises";
import { readStat } from "../process/processes";

/**
 * Whether the program in the foreground of the terminal waits for input. Undefined if that is unknown: on systems other
 * than Linux, and for a program of another user (sudo).
 * @param leader the session's first process
 */
export async function readsTerminal(leader: number): Promise<boolean | undefined> {
  if (process.platform !== "linux") return undefined;
  const group = (await readStat(leader))?.foregroundGroup;
  if (group === undefined || group <= 0) return undefined;
  const answers = await Promise.all((await membersOf(group)).map(isReading));
  if (answers.includes(true)) return true;
  return answers.length === 0 || answers.includes(undefined) ? undefined : false;
}

async function membersOf(group: number): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => ((await readStat(pid))?.group === group ? [pid] : [])),
  );
  return found.flat();
}

async function isReading(pid: string): Promise<boolean | undefined> {
  try {
    const threads = await readdir(`/proc/${pid}/task`);
    const answers = await Promise.all(threads.map((thread) => isBlockedOnTerminal(pid, thread)));
    return answers.includes(true);
  } catch {
    return undefined;
  }
}

type Kind = "read" | "epoll" | "poll";

/** The numbers of the system calls in which a program waits for input (syscalls(2)). */
const KINDS: Partial<Record<string, Record<number, Kind>>> = {
  x64: {
    0: "read",
    19: "read",
    7: "poll",
    23: "poll",
    270: "poll",
    271: "poll",
    232: "epoll",
    281: "epoll",
    441: "epoll",
  },
  arm64: { 63: "read", 65: "read", 72: "poll", 73: "poll", 22: "epoll", 441: "epoll" },
};

/** @throws {Error} if that is unknown */
async function isBlockedOnTerminal(pid: string, thread: string): Promise<boolean> {
  const kinds = KINDS[process.arch];
  if (!kinds) throw new Error(`the system calls of ${process.arch} are not known`);
  // "running", or the number and arguments of the call in which it is blocked.
  const [number, first] = (await readFile(`/proc/${pid}/task/${thread}/syscall`, "latin1")).split(" ");
  switch (kinds[Number(number)]) {
    case "read":
      return isTerminal(pid, Number(first));
    // The polled files are listed only in its memory, so it must suffice that its stdin is the terminal.
    case "poll":
      return isTerminal(pid, 0);
    case "epoll": {
      const watched = await readFile(`/proc/${pid}/fdinfo/${Number(first)}`, "latin1");
      const files = [...watched.matchAll(/^tfd:\s*(\d+)/gm)].map(([, fd]) => Number(fd));
      return (await Promise.all(files.map((fd) => isTerminal(pid, fd)))).includes(true);
    }
    default:
      return false;
  }
}

const isTerminal = async (pid: string, fd: number): Promise<boolean> =>
  /^\/dev\/(pts\/|tty)/.test(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ""));
