import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { dataDirAt } from "../local/dataDir";
import { envForDevice } from "../local/local";
import { findRunning, readOverview } from "../local/overview";
import { print, printJson } from "../print";
import { stopSignal } from "../run/stopSignal";
import { summary, summaryJson } from "./statusSummary";

/** `grove status`: prints the same summary of a running Grove as `start`. Exits with 1 if none is running. */
export async function status(dataDir: string, env: Env, { json }: { json: boolean }): Promise<void> {
  const file = await findRunning(dataDir);
  if (!file) {
    const start = shell(commandFor(dataDir, env, ["start"]));
    const words = `Grove is not running on ${dataDir}. Start it with: ${start}`;
    if (json) printJson({ running: false, dataDir });
    else print(`${words}\n`);
    process.exitCode = 1;
    return;
  }
  const running = await readOverview(file, dataDir, envForDevice(env, dataDirAt(dataDir)), stopSignal(env));
  if (json) process.stdout.write(`${summaryJson(running, env)}\n`);
  else print(summary(running, env));
}
