import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Home, isThere, readIfThere, writeFileAtomic } from "./home";

/** Another live process is this home's agent. */
export class HomeInUseError extends Error {
  readonly root: string;
  readonly pid: number;

  constructor(root: string, pid: number) {
    super(
      `Another device agent (pid ${pid}) runs on ${root}. Stop it first, or give this one a GROVE_HOME of its own.`,
    );
    this.root = root;
    this.pid = pid;
  }
}

export interface Lock {
  release(): Promise<void>;
}

const ATTEMPTS = 6;

/**
 * Makes this process the only agent of a home. Each process first announces itself with a file of its own and then
 * looks for others. If two start together, at least the later one sees the earlier, so they never both go on. Since a
 * lock file is never taken over, it cannot be taken over by mistake. Those of dead processes are removed.
 * @throws {HomeInUseError} while another live process holds the lock
 */
export async function lockHome(home: Home, pid: number = process.pid): Promise<Lock> {
  const mine = join(home.lockDir, `${pid}.${randomUUID()}`);
  const release = () => rm(mine, { force: true });
  for (let attempt = 1; ; attempt++) {
    await writeFileAtomic(mine, await birthOf(pid));
    const holder = await otherHolder(home, mine);
    if (holder === undefined) return { release };
    await release();
    // Two processes that started at the same moment have both stepped back. A random pause lets one of them be first.
    if (attempt === ATTEMPTS) throw new HomeInUseError(home.root, holder);
    await sleep(Math.random() * 50 * attempt);
  }
}

/** The pid of the agent that runs on a home now, if any. */
export const runningAgent = async (home: Home): Promise<number | undefined> =>
  (await isThere(home.lockDir)) ? otherHolder(home, "") : undefined;

async function otherHolder(home: Home, mine: string): Promise<number | undefined> {
  for (const name of await readdir(home.lockDir)) {
    const path = join(home.lockDir, name);
    const pid = Number.parseInt(name, 10);
    if (path === mine || !Number.isInteger(pid)) continue;
    const birth = await readIfThere(path);
    if (birth === undefined) continue;
    if (birth !== "" && birth === (await birthOf(pid))) return pid;
    await rm(path, { force: true });
  }
  return undefined;
}

/**
 * When the process with this pid was started, as text that no other process with the same pid shares. Empty if there is
 * no such process. A pid alone is reused, especially soon after a reboot.
 */
async function birthOf(pid: number): Promise<string> {
  if (process.platform === "linux") {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The second field is the program's name in parentheses, which may contain anything. State is the third field,
    // starttime the 22nd (proc(5)). A zombie has ended: its parent just has not collected it yet.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state, startTime] = [fields[0], fields[19]];
    if (startTime === undefined || state === "Z") return "";
    return `${(await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim()} ${startTime}`;
  }
  const env = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  const found = await promisify(execFile)("ps", ["-o", "lstart=", "-p", `${pid}`], { env }).catch(
    () => undefined,
  );
  return found?.stdout.trim() ?? "";
}
