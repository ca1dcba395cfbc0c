import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface ApiProcess {
  child: ChildProcess;
  /** Resolves with the address it listens on; rejects with its stderr when it ends before. */
  listening: Promise<string>;
  /** Resolves when it has ended. */
  exited: Promise<{ code: number | null; stderr: string; stdout: string }>;
}

/** The built program as an operator starts it, with only PATH from this process's environment. */
export function spawnApi(env: Record<string, string>, args: string[] = []): ApiProcess {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let stdout = "";
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const exited = once(child, "close").then(([code]) => {
    running.delete(child);
    return { code: code as number | null, stderr, stdout };
  });
  const listening = new Promise<string>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
      const line = stdout.split("\n").find((text) => text.includes('"msg":"listening"'));
      if (line?.endsWith("}")) resolve(JSON.parse(line).url);
    });
    void exited.then(() => reject(new Error(stderr)));
  });
  listening.catch(() => undefined);
  return { child, listening, exited };
}

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
});

/** An empty directory, removed after the file's tests. */
export async function useDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "grove-api-"));
  afterAll(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
