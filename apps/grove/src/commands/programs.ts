import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { UserError } from "../errors";
import { dataDirAt } from "../local/dataDir";
import { envForDevice } from "../local/local";
import { programPath } from "../run/paths";

/** `grove device …`, `grove project …`: runs the device program for local mode's own device. */
export async function runDeviceCommand(args: readonly string[], dataDir: string, env: Env): Promise<void> {
  const dir = dataDirAt(dataDir);
  if (!existsSync(dir.device.path))
    throw new UserError(
      `There is no local mode in ${dataDir}. Start it with: ${shell(commandFor(dataDir, env, ["start"]))}`,
    );
  await runInForeground("device", args, env, envForDevice(env, dir));
}

/** `grove api …`: runs the API's program for local mode's data: its backups, and its doctor. */
export async function runApiCommand(args: readonly string[], dataDir: string, env: Env): Promise<void> {
  const local = await dataDirAt(dataDir).local.read();
  const port = local && new URL(local.apiUrl).port;
  await runInForeground("api", args, env, { ...env.forApi, DATA_DIR: dataDir, ...(port && { PORT: port }) });
}

/** Runs a program with this process's input and output. Paths are relative to the user's current directory. */
async function runInForeground(
  program: Parameters<typeof programPath>[0],
  args: readonly string[],
  env: Env,
  itsEnv: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(process.execPath, [programPath(program), ...args], {
    cwd: env.resolve("."),
    env: itsEnv,
    stdio: "inherit",
  });
  // The terminal also sends these to the program, which would take a second one as a request to end immediately.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
}
