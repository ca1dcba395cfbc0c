import { runAgent } from "../agent";
import type { Env } from "../env";
import { openHome } from "../home";
import { createLog } from "../log";

/**
 * Runs the agent in the foreground until SIGINT or SIGTERM; a second signal ends it at once.
 * @returns false when the cloud does not take this machine's key any more
 */
export async function start(env: Env): Promise<boolean> {
  const log = createLog(env.logLevel);
  const home = await openHome(env.groveHome);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      log.info({ signal }, "stopping");
      stop.abort();
    });
  return (await runAgent(home, env, log, stop.signal)) === "stopped";
}
