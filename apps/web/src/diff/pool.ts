import { registerCustomCSSVariableTheme } from "@pierre/diffs";
import { getOrCreateWorkerPoolSingleton, terminateWorkerPoolSingleton } from "@pierre/diffs/worker";
import { startWorker } from "./policy";

for (const name of ["grove-light", "grove-dark"]) registerCustomCSSVariableTheme(name, {});

export const THEME = { light: "grove-light", dark: "grove-dark" };

/** Lines are coloured beside the page's own work, except a few, which are there sooner without the way. */
export const POOL = {
  poolOptions: { workerFactory: startWorker, poolSize: 1, mainThreadMaxCharacters: 2_000 },
  highlighterOptions: { theme: THEME },
};

/**
 * Starts the worker that colours lines. The viewer draws nothing before it is there, so it starts while the machine is
 * still being asked.
 * @returns ends it
 */
export function startPool(): () => void {
  getOrCreateWorkerPoolSingleton(POOL);
  return terminateWorkerPoolSingleton;
}
