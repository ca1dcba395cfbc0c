import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { UserError } from "../errors";
import type { LogRecord, ProgramLog } from "./programLog";

/** How many lines of a program's output outside its log are kept, for the message when it has ended. */
const LAST_LINES = 20;

export interface ProgramOptions {
  path: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  log: ProgramLog;
  onRecord?(record: LogRecord): void;
}

/** How a program ended, with its last lines of output. */
export class ProgramEnded extends UserError {
  /** Null if a signal ended it, or if it could not be started. */
  readonly code: number | null;

  constructor(message: string, code: number | null) {
    super(message);
    this.code = code;
  }
}

export interface Program {
  readonly pid: number;
  /** Aborted when the program has ended; the reason is a {@link ProgramEnded}. */
  readonly ended: AbortSignal;
  /** Asks the program to end, and kills it after `graceMs`. Resolves when it has exited. */
  stop(graceMs: number): Promise<void>;
}

/** Arguments of node that end a program together with the launcher. They precede the program's path. */
export const exitWithParent = ["--import", new URL("./exitWithParent.js", import.meta.url).href];

/**
 * Starts one of Grove's programs in the background. It ends together with the launcher, however the launcher ends.
 * Ctrl+C in the terminal does not reach it, so that the launcher alone decides in which order the programs stop.
 */
export function startProgram({ path, args = [], env, log, onRecord }: ProgramOptions): Program {
  const child = spawn(process.execPath, [...exitWithParent, path, ...args], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const lastLines: string[] = [];
  const onLine = (line: string) => {
    const record = log.add(line);
    if (record) onRecord?.(record);
    else if (lastLines.push(line) > LAST_LINES) lastLines.shift();
  };
  for (const stream of [child.stdout, child.stderr])
    if (stream) createInterface({ input: stream }).on("line", onLine);

  const ended = new AbortController();
  // "close" follows the last line. If the program could not be started, there is only "error".
  child.once("close", (code, signal) => {
    const endText = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const words = lastLines.join("\n").trim();
    ended.abort(new ProgramEnded(words || `${path} ${endText}. Its log is ${log.path}.`, code));
  });
  child.once("error", (error) =>
    ended.abort(new ProgramEnded(`${path} cannot be started: ${error.message}`, null)),
  );

  return {
    pid: child.pid ?? 0,
    ended: ended.signal,
    stop: async (graceMs) => {
      if (ended.signal.aborted) return;
      const programEnded = once(ended.signal, "abort");
      child.kill("SIGTERM");
      const impatient = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await programEnded;
      clearTimeout(impatient);
    },
  };
}
