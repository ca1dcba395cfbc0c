import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { UserError } from "../errors";
import { dataDirAt } from "../local/dataDir";
import { envForDevice } from "../local/local";
import { programPath } from "../run/paths";

/**
 * `grove device …`, `grove project …`: runs the device program for local mode's own device, with this process's input
 * and output. Paths are relative to the user's current directory.
 */
export async function runDeviceCommand(args: readonly string[], dataDir: string, env: Env): Promise<void> {
  const dir = dataDirAt(dataDir);
  if (!existsSync(dir.device.path))
    throw new UserError(
      `There is no local mode in ${dataDir}. Start it with: ${shell(commandFor(dataDir, env, ["start"]))}`,
    );
  const child = spawn(process.execPath, [programPath("device"), ...args], {
    cwd: env.resolve("."),
    env: envForDevice(env, dir),
    stdio: "inherit",
  });
  // The terminal also sends these to the program, which would take a second one as a request to end immediately.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("SIGTERM", () => child.kill("SIGTERM"));
  const [code] = (await once(child, "exit")) as [number | null];
  process.exitCode = code ?? 1;
}
