import { setFlagsFromString } from "node:v8";
import { runAgent } from "../agent";
import type { Env } from "../env";
import { openHome } from "../home";
import { createLog } from "../log";

/**
 * Runs the agent in the foreground until SIGINT, SIGTERM or SIGHUP; a second signal ends it at once.
 * @returns false when the cloud does not take this machine's key any more
 */
export async function start(env: Env): Promise<boolean> {
  if (process.platform === "win32")
    throw new Error("The device agent runs on Linux and macOS. A Windows machine can only be registered.");
  // It is idle most of its life: the nursery of its heap stays small after a burst, which is 15 MB less to hold.
  setFlagsFromString("--semi-space-growth-factor=1");
  const log = createLog(env.logLevel);
  const home = await openHome(env.groveHome);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      log.info({ signal }, "stopping");
      stop.abort();
    });
  return (await runAgent(home, env, log, stop.signal)) === "stopped";
}
