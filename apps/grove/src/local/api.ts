import { limit } from "@grove/signals";
import { programPath } from "../run/paths";
import { type Program, startProgram } from "../run/program";
import type { ProgramLog } from "../run/programLog";
import { waitFor } from "../run/wait";

/** A first start initializes the embedded database, which takes seconds even on a fast machine. */
const READY_MS = 120_000;
const REQUEST_MS = 5_000;

export interface Api {
  program: Program;
  /** Resolves with the API's address once it answers. */
  ready(signal: AbortSignal): Promise<string>;
}

/** Starts the API program. */
export function startApi(env: NodeJS.ProcessEnv, log: ProgramLog): Api {
  // Only the API's own log is proof of its address: if its port is taken, another program would answer there.
  let url: string | undefined;
  const program = startProgram({
    path: programPath("api"),
    env,
    log,
    onRecord: (record) => {
      if (record.msg === "listening") url = String(record.url);
    },
  });
  const isReady = async (signal: AbortSignal) => {
    if (url === undefined) return undefined;
    const { ok } = await fetch(new URL("/ready", url), {
      signal: limit(REQUEST_MS, signal),
    });
    return ok ? url : undefined;
  };
  return {
    program,
    ready: (signal) =>
      waitFor(isReady, {
        signal,
        forMs: READY_MS,
        otherwise: `The API was not ready within ${READY_MS / 1_000} s. Its log is ${log.path}.`,
      }),
  };
}
