import { Stopped } from "../errors";

/** Aborted when someone asks this process to stop: Ctrl+C, SIGTERM, or the terminal is closed. */
export function stopSignal(): AbortSignal {
  const asked = new AbortController();
  // Asked again, it goes on stopping: that is bounded. SIGKILL remains, and takes the programs with it.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => asked.abort(new Stopped(name)));
  return asked.signal;
}
