import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { messageOf } from "@grove/schemas";
import { UserError } from "../errors";

export interface RunOptions {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  signal: AbortSignal;
}

/** The time limit of a program that runs to its end. */
const TIMEOUT_MS = 120_000;

/**
 * Runs a program until it ends, and returns its stdout.
 * @throws {UserError} in the program's own words if it fails; the signal's reason if aborted
 */
export async function runToEnd(file: string, { args, env, cwd, signal }: RunOptions): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, args, { env, cwd, signal, timeout: TIMEOUT_MS });
    return stdout;
  } catch (error) {
    signal.throwIfAborted();
    const stderr = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    // Structured log lines are skipped.
    const words = stderr.split("\n").filter((line) => !line.startsWith("{"));
    throw new UserError(words.join("\n").trim() || messageOf(error));
  }
}
