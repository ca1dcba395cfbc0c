import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Started, startProgram } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import type { Scope } from "./scope";

/** The longest wait for a program to be ready, and later for it to end. */
const TIMEOUT_MS = 60_000;

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

/**
 * Starts a built program and waits for the line on stdout or stderr that reports it as ready. Its log goes to a file,
 * as in production, since reading it would burden the process that measures.
 * @throws {Error} if it ends before that or takes too long, with its last output
 */
export async function startBuilt(
  scope: Scope,
  args: readonly string[],
  variables: Record<string, string>,
  isReady: (line: string) => boolean,
): Promise<{ pid: number; readyLine: string }> {
  const log = join(temporaryDirectory(scope), "log");
  const program = startProgram(["/bin/sh", "-c", 'exec "$@" >"$0" 2>&1', log, process.execPath, ...args], {
    env: cleanEnvironment(variables),
  });
  scope.defer(() => end(program));
  const output = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  const readyLine = await until(
    () => {
      const line = output().split("\n").slice(0, -1).find(isReady);
      if (line === undefined && !program.running)
        throw new Error(`${args[0]} ended:\n${output().slice(-4_000)}`);
      return line;
    },
    `${args[0]} is ready`,
    TIMEOUT_MS,
  );
  return { pid: program.pid, readyLine };
}

/** Starts a program of this package, such as a floor, in a process of its own. */
export function startOwn(scope: Scope, file: URL, ...args: string[]): Started {
  const command = [process.execPath, ...process.execArgv, fileURLToPath(file), ...args];
  const program = startProgram(command, { env: cleanEnvironment() });
  program.child.stderr.pipe(process.stderr);
  scope.defer(() => end(program));
  return program;
}

/** Sends SIGTERM, then SIGKILL if the process does not end. */
async function end(program: Started): Promise<void> {
  const kill = setTimeout(() => void program.end(), TIMEOUT_MS);
  await program.end("SIGTERM");
  clearTimeout(kill);
}
