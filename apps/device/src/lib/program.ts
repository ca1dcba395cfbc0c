import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProgramOptions {
  cwd?: string;
  env: NodeJS.ProcessEnv;
  /** Aborting ends the program and everything it started: TERM, then KILL after `graceMs`. */
  signal?: AbortSignal;
  /** 5 s by default. */
  graceMs?: number;
  /** Receives each line of stderr as it arrives. A carriage return also ends a line, as in progress output. */
  onErrorLine?(line: string): void;
  /** Receives stderr as it arrives, in chunks of any size. */
  onErrorChunk?(chunk: string): void;
  /** The program's stdin; empty when omitted. */
  input?: string;
  /** Encodes `input` and decodes stdout; `latin1` keeps every byte. UTF-8 by default. */
  encoding?: "utf8" | "latin1";
  /** Ends the program once it has written this many bytes to stdout, and returns them. */
  enoughBytes?: number;
  /** Treats stdout as stderr, for a program whose output is only for people to read, however much there is. */
  stdoutAsStderr?: boolean;
}

export interface ProgramResult {
  /** The exit code; null when a signal ended the program. */
  code: number | null;
  stdout: string;
  /** Whether `enoughBytes` ended the program, so that stdout is only its beginning. */
  isCut: boolean;
  /** The last 16 KiB. */
  stderr: string;
}

const STDOUT_LIMIT = 16 * 1024 * 1024;
const STDERR_TAIL = 16 * 1024;
/** A program that is still running this long after TERM gets KILL. */
export const KILL_AFTER_MS = 5_000;
/** A process that a hook left in the background may hold the pipes open forever. */
const PIPES_AFTER_EXIT_MS = 500;

/**
 * Runs a program without a shell and without a terminal, in its own process group.
 * @returns the result, even when the exit code is not 0
 * @throws {unknown} the signal's reason when aborted, once the whole group has exited
 * @throws {Error} if the program cannot be started or writes more than 16 MiB to stdout
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { cwd, env, signal, graceMs = KILL_AFTER_MS, stdoutAsStderr = false } = options;
  const { onErrorLine, onErrorChunk } = options;
  const { input, encoding = "utf8", enoughBytes = Number.POSITIVE_INFINITY } = options;
  signal?.throwIfAborted();
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
  // Without a pid, no process has started. The error event has the reason.
  if (child.pid === undefined) throw (await once(child, "error"))[0];

  // A program that ends before it has read all input closes the pipe. Its exit code reports the outcome.
  child.stdin.on("error", () => {}).end(input ?? "", encoding);
  let stderr = "";
  const onError = (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_TAIL);
    onErrorChunk?.(chunk);
    if (onErrorLine)
      for (const line of chunk.split(/[\r\n]+/)) if (line.trim() !== "") onErrorLine(line.trim());
  };
  child.stderr.setEncoding("utf8").on("data", onError);

  let tooMuch = false;
  const stdout: Buffer[] = [];
  let stdoutBytes = 0;
  if (stdoutAsStderr) child.stdout.setEncoding("utf8").on("data", onError);
  else
    child.stdout.on("data", (chunk: Buffer) => {
      stdoutBytes += chunk.length;
      if (stdoutBytes - chunk.length >= enoughBytes || tooMuch) return;
      tooMuch = stdoutBytes > STDOUT_LIMIT;
      if (!tooMuch) stdout.push(chunk);
      if (tooMuch || stdoutBytes >= enoughBytes) killGroup(child, "SIGKILL");
    });

  let forceful: NodeJS.Timeout | undefined;
  const onAbort = () => {
    killGroup(child, "SIGTERM");
    forceful = setTimeout(() => killGroup(child, "SIGKILL"), graceMs);
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  const closed = once(child, "close");
  try {
    const [code] = (await once(child, "exit")) as [number | null];
    await Promise.race([closed, sleep(PIPES_AFTER_EXIT_MS, undefined, { ref: false })]);
    // The leader may have ended on the abort and left processes of its group running.
    if (signal?.aborted) killGroup(child, "SIGKILL");
    signal?.throwIfAborted();
    if (tooMuch) throw new Error(`${file} wrote more than ${STDOUT_LIMIT} bytes.`);
    const isCut = stdoutBytes >= enoughBytes;
    return { code, stdout: Buffer.concat(stdout).toString(encoding), isCut, stderr };
  } finally {
    clearTimeout(forceful);
    signal?.removeEventListener("abort", onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // The group has already ended.
  }
}
