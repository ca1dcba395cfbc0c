import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";

/** How many characters of a program's output are kept. */
const MAX_CHARACTERS = 2_000_000;

export interface Options {
  /** The program's whole environment: nothing of this process's own is added. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Gives the program a process group of its own, as a terminal does. */
  readonly detached?: boolean;
  /** Takes the function that kills the program, and calls it later: `onTestFinished`, `afterAll`. */
  readonly endAfter?: (end: () => Promise<void>) => void;
}

/** How a program has ended, with the end of its output. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program in its own process, without stdin. */
export interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly pid: number;
  readonly running: boolean;
  /** The last two million characters of its output so far; `output` is both in the order in which they came. */
  readonly stdout: string;
  readonly stderr: string;
  readonly output: string;
  /**
   * Resolves with the first complete line on stdout or stderr that matches, past or future.
   * @throws {Error} with the output when the program ends before that
   */
  waitForLine(words: string | RegExp): Promise<string>;
  /** Resolves when the program has ended and its output has been read. */
  readonly ended: Promise<Ended>;
  /**
   * Sends a signal, by default SIGKILL, unless the program has ended. Resolves with its exit code when it has exited;
   * programs that it has started may still hold its output open.
   */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

const running = new Set<Started["child"]>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a program, which is killed at the latest when this process exits. */
export function startProgram(command: readonly string[], { env, cwd, detached, endAfter }: Options): Started {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { env, cwd, detached, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  const printed = { stdout: "", stderr: "", output: "" };
  const listeners = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => {
      for (const key of [name, "output"] as const)
        printed[key] = (printed[key] + chunk).slice(-MAX_CHARACTERS);
      for (const recheck of listeners) recheck();
    });
  const exited = once(child, "exit");
  const ended = once(child, "close").then(([code, signal]): Ended => {
    running.delete(child);
    return { code, signal, stdout: printed.stdout, stderr: printed.stderr };
  });
  // A program that cannot be run is an error only for a caller that waits.
  exited.catch(() => running.delete(child));
  ended.catch(() => undefined);

  const started: Started = {
    child,
    get pid() {
      if (child.pid === undefined) throw new Error(`${file} was not started.`);
      return child.pid;
    },
    get running() {
      return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    },
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    get output() {
      return printed.output;
    },
    waitForLine: (words) =>
      new Promise((resolve, reject) => {
        const recheck = () => {
          const line = lineOf(printed.stdout, words) ?? lineOf(printed.stderr, words);
          if (line === undefined) return false;
          listeners.delete(recheck);
          resolve(line);
          return true;
        };
        if (recheck()) return;
        listeners.add(recheck);
        const refuse = () =>
          reject(new Error(`${command.join(" ")} ended without ${words}:\n${printed.output}`));
        ended.then(refuse, reject);
      }),
    ended,
    end: async (signal = "SIGKILL") => {
      if (started.running) {
        child.kill(signal);
        await exited;
      }
      return child.exitCode;
    },
  };
  endAfter?.(async () => {
    await started.end();
  });
  return started;
}

/** Runs a program to its end, successful or not. */
export const runProgram = (command: readonly string[], options: Options): Promise<Ended> =>
  startProgram(command, options).ended;

/**
 * Runs a program that must succeed, and returns its stdout.
 * @throws {Error} with its output when its exit code is not 0
 */
export async function succeed(command: readonly string[], options: Options): Promise<string> {
  const { code, stdout, stderr } = await runProgram(command, options);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}

const lineOf = (text: string, words: string | RegExp): string | undefined =>
  text
    .split("\n")
    .slice(0, -1)
    .find((line) => (typeof words === "string" ? line.includes(words) : words.test(line)));

/** Whether a process runs. A zombie, which has ended but has not been waited for, does not. */
export function isRunning(pid: number): boolean {
  if (process.platform === "linux") {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      return stat.charAt(stat.lastIndexOf(")") + 2) !== "Z";
    } catch {
      return false;
    }
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
