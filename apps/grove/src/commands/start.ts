import { announcement, announcementJson } from "../announce";
import type { Env } from "../env";
import { Stopped } from "../errors";
import { startLocal } from "../local/local";
import { runBare } from "../run/bare";
import { stopSignal } from "../run/stopSignal";
import { whenAborted } from "../run/wait";

export interface StartOptions {
  port?: number;
  dataDir?: string;
  bare: boolean;
  json: boolean;
  verbose: boolean;
}

/** `grove start`: runs local mode, or the API alone, until it is asked to stop. */
export async function start(options: StartOptions, env: Env, say: (text: string) => void): Promise<void> {
  const stop = stopSignal();
  const dataDir = options.dataDir === undefined ? env.dataDir : env.resolve(options.dataDir);
  const port = options.port ?? env.port;
  if (options.bare || env.databaseUrl !== undefined)
    return runBare(
      { ...env.forBareApi, DATA_DIR: dataDir, ...(port !== undefined && { PORT: String(port) }) },
      stop,
    );

  const local = await startLocal({ env, dataDir, port, verbose: options.verbose, say, signal: stop });
  const toTerminal = process.stdout.isTTY === true;
  process.stdout.write(options.json ? `${announcementJson(local)}\n` : announcement(local, { toTerminal }));
  const reason = await whenAborted(AbortSignal.any([stop, local.failed]));
  const asked = reason instanceof Stopped;
  if (asked) say("Stopping");
  await local.close();
  if (!asked) throw reason;
}
