import { Stopped } from "../errors";

/** Aborted when someone asks this process to stop: Ctrl+C, SIGTERM, or the terminal is closed. */
export function stopSignal(): AbortSignal {
  const asked = new AbortController();
  // A second signal changes nothing, since stopping takes a bounded time. SIGKILL ends the programs, too.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => asked.abort(new Stopped(name)));
  return asked.signal;
}
