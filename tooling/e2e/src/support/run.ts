import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Longer than any program that ends by itself takes. */
const TIMEOUT_MS = 120_000;

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, successful or not. */
export async function run(
  command: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string; signal?: AbortSignal },
): Promise<Ran> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { ...options, timeout: TIMEOUT_MS, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

/** Runs a program that must succeed, and returns its stdout. */
export async function succeed(...args: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...args);
  if (code !== 0) throw new Error(`${args[0].join(" ")} ended with ${code}: ${stderr}${stdout}`);
  return stdout;
}
