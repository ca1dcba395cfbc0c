import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";

// createRequire, because vitest's global set-up has no import.meta.resolve.
const manifest = createRequire(import.meta.url).resolve("@grove/api/package.json");

/** The path of the built API. */
export const program = join(dirname(manifest), "dist/main.js");

/** Starts the built API with no variable of this process's environment except PATH. It ends with this process. */
export function spawnApi(env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  return child;
}

/**
 * Resolves with the API's address when it listens.
 * @throws {Error} when it ends before that
 */
export async function listening({ stdout }: ChildProcess): Promise<string> {
  if (stdout)
    for await (const line of createInterface({ input: stdout })) {
      const { msg, url } = JSON.parse(line);
      if (msg !== "listening") continue;
      stdout.resume();
      return url;
    }
  throw new Error("the API did not start");
}
