import { getOrCreateWorkerPoolSingleton, terminateWorkerPoolSingleton } from "@pierre/diffs/worker";
import { THEME } from "./syntaxTheme";
import { startWorker } from "./trustedTypesPolicy";

/** Highlights in a worker. Short files are highlighted on the main thread, where the round trip would cost more. */
export const POOL = {
  poolOptions: { workerFactory: startWorker, poolSize: 1, mainThreadMaxCharacters: 2_000 },
  highlighterOptions: { theme: THEME },
};

/** The number of components that use the worker. */
let users = 0;

/**
 * Starts the highlighting worker. The viewer renders nothing until the worker is ready, so start it while the diff is
 * still being loaded.
 * @returns stops the worker, unless another component uses it
 */
export function startPool(): () => void {
  users++;
  getOrCreateWorkerPoolSingleton(POOL);
  return () => {
    users--;
    if (users === 0) terminateWorkerPoolSingleton();
  };
}
