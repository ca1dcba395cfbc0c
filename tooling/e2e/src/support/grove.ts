import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LocalFile, localFile } from "@grove/schemas";
import { type Ended, runProgram, type Started, startProgram } from "@grove/testing/process";
import * as z from "zod";
import type { Machine } from "./machine";
import { launcher } from "./programs";

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
  announced: z.infer<typeof announcement>;
  local: LocalFile;
  program: Started;
  /** Stops Grove by a signal, and returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The command line of the launcher. */
export const grove = (...args: string[]) => [process.execPath, launcher, ...args];

/** Runs a `grove start` that is expected to end by itself. */
export const startAndFail = ({ env, root }: Machine, ...args: string[]): Promise<Ended> =>
  runProgram(grove("start", ...args), { env, cwd: root });

/** Runs `grove start` in the machine's directory, and resolves when it is ready. */
export async function startGrove({ env, root }: Machine, ...args: string[]): Promise<Grove> {
  const program = startProgram(grove("start", "--json", ...args), { cwd: root, env });
  const announced = announcement.parse(JSON.parse(await program.waitForLine('"apiUrl"')));
  return {
    announced,
    local: localFile.parse(JSON.parse(await readFile(announced.localFile, "utf8"))),
    program,
    stop: (signal = "SIGTERM") => program.end(signal),
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
