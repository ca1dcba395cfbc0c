import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** The options with which node runs TypeScript. */
export const typescript = ["--import", import.meta.resolve("tsx")];

/**
 * Starts a TypeScript file of this package as a process of its own, which is killed when the test is over. `lines`
 * yields its stdout line by line.
 */
export function startScript(file: URL, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [...typescript, fileURLToPath(file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  onTestFinished(async () => {
    if (!hasEnded(child) && child.kill("SIGKILL")) await once(child, "exit");
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

export const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Kills a process with SIGKILL and waits until it is gone. */
export async function killHard(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}
