import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Scope } from "./scope";

/** The longest wait for a program to be ready, and later for it to end. */
const PATIENCE_MS = 15_000;

const require = createRequire(import.meta.url);
/** Written out in full, so that knip sees the dependencies. */
const manifests = {
  api: require.resolve("@grove/api/package.json"),
  device: require.resolve("@grove/device/package.json"),
  "mcp-cloud": require.resolve("@grove/mcp-cloud/package.json"),
  "mcp-desktop": require.resolve("@grove/mcp-desktop/package.json"),
};

/**
 * The path of an app's built program.
 * @throws {Error} if it is not built
 */
export function builtProgram(app: keyof typeof manifests): string {
  const program = join(dirname(manifests[app]), "dist", "main.js");
  if (!existsSync(program)) throw new Error(`${program} is missing. Run \`pnpm build\` first.`);
  return program;
}

/** Makes a directory that is removed when the scope ends. */
export function temporaryDirectory(scope: Scope): string {
  const path = mkdtempSync(join(tmpdir(), "grove-bench-"));
  scope.defer(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The environment of a measured program: only the caller's variables that it needs to run. */
export const cleanEnvironment = (variables: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_ENV: "production",
  ...variables,
});

export interface Program {
  pid: number;
  readyLine: string;
}

/**
 * Starts a Node program and waits for the line on stdout or stderr that reports it as ready. Its log goes to a file, as
 * in production, since reading it would burden the process that measures.
 * @throws {Error} if it ends before that or takes too long, with its last output
 */
export async function startProgram(
  scope: Scope,
  args: string[],
  variables: Record<string, string>,
  isReady: (line: string) => boolean,
): Promise<Program> {
  const log = join(temporaryDirectory(scope), "log");
  const file = openSync(log, "a");
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(variables),
    stdio: ["ignore", file, file],
  });
  closeSync(file);
  scope.defer(() => end(child));
  let failure: string | undefined;
  child.on("exit", () => {
    failure = "ended";
  });
  child.on("error", (error) => {
    failure = error.message;
  });
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const said = readFileSync(log, "utf8");
    const readyLine = said.split("\n").slice(0, -1).find(isReady);
    if (readyLine !== undefined) return { pid: child.pid as number, readyLine };
    if (performance.now() > giveUpAt) failure ??= "is not ready yet";
    if (failure !== undefined) throw new Error(`${args[0]} ${failure}:\n${said.slice(-4_000)}`);
    await sleep(20);
  }
}

/**
 * Starts one of this package's floors in a process of its own. It ends together with this process, however that ends.
 * @returns its URL, if it is a server
 */
export async function startFloor(
  scope: Scope,
  file: URL,
  ...args: string[]
): Promise<{ pid: number; url: string }> {
  const child = fork(fileURLToPath(file), args);
  scope.defer(() => end(child));
  const [url] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => Promise.reject(new Error(`The floor ${file.pathname} ended.`))),
  ])) as [string];
  return { pid: child.pid as number, url };
}

/** Sends SIGTERM, then SIGKILL if the process does not end. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  const kill = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  await exited;
  clearTimeout(kill);
}

/** Waits until a process has exited after its signal. */
export async function untilEnded(pid: number): Promise<void> {
  while (existsSync(`/proc/${pid}`)) await sleep(20);
}

/** The processor time of a running process, in milliseconds; NaN without /proc. */
export function processorTimeOf(pid: number): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return Number.NaN;
  // proc(5): fields 14 and 15 are user and system time in ticks of 10 ms. Field 2, a name, may contain spaces.
  const fields = readFileSync(path, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The memory of a running process in MiB, now and at its peak; undefined without /proc. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  const status = readFileSync(path, "utf8");
  const mebibytes = (field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: mebibytes("VmRSS"), peak: mebibytes("VmHWM") };
}
