import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { UserError } from "../errors";
import type { LogRecord, ProgramLog } from "./programLog";

/** So much of what a program says outside its log is kept, to be said again when it has ended. */
const LAST_LINES = 20;

export interface ProgramOptions {
  path: string;
  args?: readonly string[];
  env: NodeJS.ProcessEnv;
  log: ProgramLog;
  onRecord?(record: LogRecord): void;
}

/** How a program ended: in its last words. */
export class ProgramEnded extends UserError {
  constructor(
    message: string,
    /** Null when a signal ended it, or it could not be started. */
    readonly code: number | null,
  ) {
    super(message);
  }
}

export interface Program {
  readonly pid: number;
  /** Aborted when the program has ended; the reason is a {@link ProgramEnded}. */
  readonly ended: AbortSignal;
  /** Asks it to end, and kills it when it has not after `graceMs`. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** What makes node end a program with the launcher; goes before the program's path. */
export const leashed = ["--import", new URL("./leash.js", import.meta.url).href];

/**
 * Starts one of Grove's programs in the background. It ends with the launcher, whatever ends that; a Ctrl+C in the
 * terminal does not reach it, so that the launcher alone decides in which order programs stop.
 */
export function startProgram({ path, args = [], env, log, onRecord }: ProgramOptions): Program {
  const child = spawn(process.execPath, [...leashed, path, ...args], {
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
  // "close" comes after the last line, "error" alone when it could not be started.
  child.once("close", (code, signal) => {
    const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
    const words = lastLines.join("\n").trim();
    ended.abort(new ProgramEnded(words || `${path} ${how}. Its log is ${log.path}.`, code));
  });
  child.once("error", (error) =>
    ended.abort(new ProgramEnded(`${path} cannot be started: ${error.message}`, null)),
  );

  return {
    pid: child.pid ?? 0,
    ended: ended.signal,
    stop: async (graceMs) => {
      if (ended.signal.aborted) return;
      const gone = once(ended.signal, "abort");
      child.kill("SIGTERM");
      const impatient = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await gone;
      clearTimeout(impatient);
    },
  };
}
