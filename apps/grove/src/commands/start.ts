import type { Env } from "../env";
import { Stopped } from "../errors";
import { dataDirAt } from "../local/dataDir";
import { envForDevice, startLocal } from "../local/local";
import { findRunning, type Running, readOverview } from "../local/overview";
import { makeLink } from "../local/signInLink";
import { print } from "../print";
import { runBare } from "../run/bare";
import { stopSignal } from "../run/stopSignal";
import { whenAborted } from "../run/wait";
import { summary, summaryJson } from "./statusSummary";

export interface StartOptions {
  port?: number;
  dataDir?: string;
  bare: boolean;
  json: boolean;
  verbose: boolean;
}

/** `grove start`: runs local mode, or the API alone, until it is asked to stop. Reports if Grove is already running. */
export async function start(options: StartOptions, env: Env, say: (text: string) => void): Promise<void> {
  const stop = stopSignal(env);
  const dataDir = options.dataDir === undefined ? env.dataDir : env.resolve(options.dataDir);
  const port = options.port ?? env.port;
  if (options.bare || env.hasDatabase)
    return runBare(
      { ...env.forBareApi, DATA_DIR: dataDir, ...(port !== undefined && { PORT: String(port) }) },
      stop,
    );
  const report = (running: Running, link?: string) => {
    if (options.json) process.stdout.write(`${summaryJson(running, env)}\n`);
    else print(summary(running, env, link));
  };

  const already = await findRunning(dataDir);
  if (already) {
    say("Grove is already running.");
    report(await readOverview(already, dataDir, envForDevice(env, dataDirAt(dataDir)), stop));
    return;
  }
  const local = await startLocal({ env, dataDir, port, verbose: options.verbose, say, signal: stop });
  const ends = AbortSignal.any([stop, local.failed]);
  try {
    const [running, link] = await Promise.all([
      readOverview(local.file, dataDir, local.deviceEnv, ends),
      // Browsers that an earlier run signed in are signed out: another program may have had this port since then.
      makeLink(local.file, local.dir, { endEarlier: true }, ends),
    ]);
    // The link signs a browser in, so it goes to a terminal only: a log would keep it.
    report(running, process.stdout.isTTY ? link : undefined);
    if (!options.json) process.stdout.write("Ctrl+C stops it, and the agents that it runs.\n");
    await whenAborted(ends);
  } catch (error) {
    if (!ends.aborted) throw error;
  } finally {
    if (stop.aborted) say("Stopping");
    await local.close();
  }
  if (!(ends.reason instanceof Stopped)) throw ends.reason;
}
