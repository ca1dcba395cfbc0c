import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { lstat, readdir, readFile, rm } from "node:fs/promises";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { isThere, readIfThere, writeFileAtomic } from "../lib/fileSystem";
import { connectTo, listenAt, untilClosed } from "./aliveSocket";
import type { Home } from "./home";

/** The suffix of the sockets beside the lock files. */
const SOCKET = ".socket";

/** Another live process is this home's device agent. */
export class HomeInUseError extends Error {
  readonly root: string;
  readonly pid: number;

  constructor(root: string, pid: number) {
    super(
      `Another grove-device (pid ${pid}) runs on ${root}. Stop it first, or give this one a GROVE_HOME of its own.`,
    );
    this.root = root;
    this.pid = pid;
  }
}

export interface Lock {
  release(): Promise<void>;
}

const ATTEMPTS = 6;

interface LockOptions {
  signal?: AbortSignal;
  /** Called when this process waits for a device agent in another container. */
  onWait?(pid: number): void;
}

/**
 * Makes this process the only device agent of a home. Each process first announces itself with a file of its own and
 * then looks for others. If two start together, at least the later one sees the earlier, so they never both continue.
 * Since a lock file is never taken over, it cannot be taken over by mistake. Files of dead processes are removed. A
 * device agent in another container cannot be stopped from here, and an orchestrator that replaces containers stops it
 * later. So this process waits until that device agent has ended.
 * @throws {HomeInUseError} while another live process of this container holds the lock, or the signal's reason
 */
export async function lockHome(home: Home, { signal, onWait }: LockOptions = {}): Promise<Lock> {
  for (let attempt = 1; ; attempt++) {
    const mine = `${process.pid}.${randomUUID()}`;
    const lock = await announce(home, mine);
    const holder = await otherHolder(home, mine);
    if (holder === undefined) return lock;
    await lock.release();
    if (holder.connection) {
      onWait?.(holder.pid);
      await untilClosed(holder.connection, signal);
      attempt = 0;
    } else if (attempt === ATTEMPTS) throw new HomeInUseError(home.root, holder.pid);
    // Two processes that started at the same moment have both stepped back. A random pause lets one of them be first.
    await sleep(Math.random() * 50 * (attempt + 1), undefined, { signal });
  }
}

/** The pid of the device agent that runs on a home now, if any. */
export async function runningAgent(home: Home): Promise<number | undefined> {
  if (!(await isThere(home.lockDir))) return undefined;
  const holder = await otherHolder(home, "");
  holder?.connection?.destroy();
  return holder?.pid;
}

/**
 * Writes this process's lock file. Its socket comes first, since a device agent in another container removes a file
 * without a socket.
 */
async function announce(home: Home, name: string): Promise<Lock> {
  const socket = await listenAt(home.lockDir, `${name}${SOCKET}`);
  await writeFileAtomic(join(home.lockDir, name), await birthOf(process.pid));
  return {
    release: async () => {
      await rm(join(home.lockDir, name), { force: true });
      await socket?.close();
    },
  };
}

/** A live process that holds the lock. */
interface Holder {
  pid: number;
  /** Open as long as the process lives, if it is in another container. Otherwise its pid shows whether it lives. */
  connection?: Socket;
}

async function otherHolder(home: Home, mine: string): Promise<Holder | undefined> {
  for (const name of await readdir(home.lockDir)) {
    const pid = Number.parseInt(name, 10);
    if (name === mine || !Number.isInteger(pid)) continue;
    if (name.endsWith(SOCKET)) {
      await removeOrphan(home, name);
      continue;
    }
    const path = join(home.lockDir, name);
    const birth = await readIfThere(path);
    if (birth === undefined) continue;
    if (birth !== "" && birth === (await birthOf(pid))) return { pid };
    const connection = await connectTo(home.lockDir, `${name}${SOCKET}`);
    if (connection) return { pid, connection };
    await rm(path, { force: true });
    await rm(`${path}${SOCKET}`, { force: true });
  }
  return undefined;
}

/** How long a process may take from its socket to its lock file. */
const SOCKET_ALONE_MS = 60_000;

/** Removes the socket of a process that died before it wrote its lock file. */
async function removeOrphan(home: Home, name: string): Promise<void> {
  const path = join(home.lockDir, name);
  if (await isThere(path.slice(0, -SOCKET.length))) return;
  const socketStat = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  );
  if (socketStat === undefined || Date.now() - socketStat < SOCKET_ALONE_MS) return;
  const connection = await connectTo(home.lockDir, name);
  if (connection) connection.destroy();
  else await rm(path, { force: true });
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
