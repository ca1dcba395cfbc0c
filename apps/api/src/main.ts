import { Worker } from "node:worker_threads";
import { health } from "./cli/health/health";

/**
 * The size of V8's young generation, in MiB: three semi-spaces of 64. With many callers, objects of requests in flight
 * outgrow the usual 16, and each collection then copies them into the old generation (`pnpm bench batch`).
 */
const YOUNG_GENERATION_MB = 3 * 64;

if (process.argv[2] === "health") process.exitCode = await health();
else startThread();

function startThread(): void {
  // V8 reads the size only when it makes a heap, and a program cannot set it for its own. So the API runs in a thread,
  // whose heap is made here. The program's own options stand above this: NODE_OPTIONS=--max-semi-space-size=16.
  const thread = new Worker(new URL("./thread.js", import.meta.url), {
    argv: process.argv.slice(2),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  thread.once("error", (error) => process.stderr.write(`${error.stack}\n`));
  thread.once("exit", (code) => {
    process.exitCode = code;
  });
  // Threads receive no signals. A second signal ends the process immediately, as usual.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => thread.postMessage(signal));
}
