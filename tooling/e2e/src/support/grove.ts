import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type LocalFile, localFile } from "@grove/schemas";
import * as z from "zod";
import type { Machine } from "./machine";
import { launcher } from "./programs";
import { type Ran, run } from "./run";

/** The line that `grove start --json` prints when it is ready. */
const announcement = z.strictObject({
  apiUrl: z.url(),
  organizationId: z.guid(),
  device: z.strictObject({ id: z.guid(), name: z.string(), status: z.literal("online") }),
  dataDir: z.string(),
  groveHome: z.string(),
  localFile: z.string(),
  mcpServers: z.strictObject({
    grove: z.strictObject({
      command: z.string(),
      args: z.array(z.string()),
    }),
  }),
  addProject: z.array(z.string()),
  projects: z.number(),
  workspaces: z.number(),
  agents: z.array(z.object({ name: z.string() })),
});

/** A `grove start` that is ready. */
export interface Grove {
  said: z.infer<typeof announcement>;
  local: LocalFile;
  child: ChildProcess;
  /** Its output on stderr so far. */
  stderr(): string;
  /** Asks it to stop, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The command line of the launcher. */
export const grove = (...args: string[]) => [process.execPath, launcher, ...args];

/** Runs a `grove start` that is expected to end by itself. */
export const startAndFail = ({ env, root }: Machine, ...args: string[]): Promise<Ran> =>
  run(grove("start", ...args), { env, cwd: root });

/** Runs `grove start` in the machine's directory, and resolves when it is ready. */
export async function startGrove({ env, root }: Machine, ...args: string[]): Promise<Grove> {
  const [file = "", ...rest] = grove("start", "--json", ...args);
  const child = spawn(file, rest, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const line = once(createInterface({ input: child.stdout }), "line") as Promise<[string]>;
  const ended = once(child, "exit").then(() => {
    throw new Error(`grove start ended: ${stderr}`);
  });
  const [json] = await Promise.race([line, ended]);
  ended.catch(() => {});
  const said = announcement.parse(JSON.parse(json));
  return {
    said,
    local: localFile.parse(JSON.parse(await readFile(said.localFile, "utf8"))),
    child,
    stderr: () => stderr,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, "exit") as Promise<[number | null]>;
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

/** The processes that a data directory records as its own: the API, and the device agent. */
export async function processesOf(
  dataDir: string,
): Promise<{ api: number | undefined; device: number | undefined }> {
  const locks = (await readdir(dataDir)).filter((name) => name.startsWith("pgdata.lock."));
  const [lock = ""] = await Promise.all(locks.map((name) => readFile(join(dataDir, name), "utf8")));
  const agents = await readdir(join(dataDir, "device", "lock"));
  const pid = z.object({ pid: z.number() });
  return {
    api: lock === "" ? undefined : pid.parse(JSON.parse(lock)).pid,
    device: agents.map((name) => Number.parseInt(name, 10))[0],
  };
}
