import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { readStat } from "../sessions/process/processes";

/** An init collects a process within milliseconds, even on a busy machine within this time. */
const COLLECTED_WITHIN_MS = 2_000;
const POLL_MS = 20;

/** Advice for a machine whose process 1 does not reap orphans. */
export const ORPHANS_TODO =
  "In a container, run an init as process 1: docker run --init, `init: true` in compose, shareProcessNamespace in Kubernetes, or tini.";
export const ORPHANS_STAY =
  "processes that outlive their parent stay as zombies, because process 1 does not reap them";

/** Prints the number of a process that reads its parent's input: it ends when that has ended, and the pipe with it. */
const ORPHAN = "exec 3<&0; { read _; } <&3 >/dev/null 2>&1 & echo $!";

/**
 * Whether orphaned processes are reaped. Without an init as process 1 they stay as zombies, until no new process can
 * start. Undefined if this cannot be detected.
 */
export async function collectsOrphans(): Promise<boolean | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", ORPHAN]);
    return await isCollected(Number(stdout));
  } catch {
    return undefined;
  }
}

/** Whether a process that ends is collected in time. */
export async function isCollected(pid: number): Promise<boolean> {
  const giveUpAt = performance.now() + COLLECTED_WITHIN_MS;
  while ((await readStat(pid)) !== undefined) {
    if (performance.now() > giveUpAt) return false;
    await sleep(POLL_MS);
  }
  return true;
}
