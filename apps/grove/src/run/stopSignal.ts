import type { Env } from "../env";
import { Stopped } from "../errors";

const parent = process.ppid;
/** How often to check whether npm still runs. */
const POLL_MS = 1_000;

/**
 * Aborted when someone asks this process to stop: Ctrl+C, SIGTERM, or the terminal is closed. npm and npx pass a
 * SIGTERM on only to the shell between them and their program, so the end of that shell counts too.
 */
export function stopSignal({ isRunByNpm }: Pick<Env, "isRunByNpm">): AbortSignal {
  const stopping = new AbortController();
  // A second signal changes nothing, since stopping takes a bounded time. SIGKILL ends the programs, too.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => stopping.abort(new Stopped(name)));
  if (isRunByNpm)
    setInterval(() => process.ppid !== parent && stopping.abort(new Stopped("SIGTERM")), POLL_MS).unref();
  return stopping.signal;
}
