import { timeoutSignal } from "@grove/signals";
import { keepRunning } from "../run/keepRunning";
import { programPath } from "../run/paths";
import { ProgramEnded, startProgram } from "../run/program";
import type { ProgramLog } from "../run/programLog";
import { waitFor } from "../run/wait";

/** A first start initializes the embedded database, which takes seconds even on a fast machine. */
const READY_MS = 120_000;
const REQUEST_MS = 5_000;
/** How often in a row the API may end before it is not started again: about 15 s of waits. */
const MAX_FAILURES = 5;

export interface Api {
  /** Aborted when the API has ended and is not started again, with the cause as its reason. */
  ended: AbortSignal;
  /** Resolves with the API's address once it answers. */
  ready(signal: AbortSignal): Promise<string>;
  stop(graceMs: number): Promise<void>;
}

/**
 * Runs the API program. Once it has been ready it is started again at the same address whenever it ends, because the
 * device and its agents live on without it.
 */
export function startApi(
  env: NodeJS.ProcessEnv & { PORT: string },
  log: ProgramLog,
  say: (text: string) => void,
): Api {
  // Only the API's own log is proof of its address: if its port is taken, another program would answer there.
  let url: string | undefined;
  let wasReady = false;
  const ended = new AbortController();
  const program = keepRunning({
    start: () =>
      startProgram({
        path: programPath("api"),
        // With port 0, the first start chose a port, which the device and the browsers use.
        env: url === undefined ? env : { ...env, PORT: new URL(url).port },
        log,
        onRecord: (record) => {
          if (record.msg !== "listening") return;
          url = String(record.url);
          if (wasReady) say(`The API is running again at ${url}`);
        },
      }),
    onEnd: (end, waitMs, failures) => {
      if (wasReady && failures < MAX_FAILURES) {
        say(`The API ended: ${end.message}\nStarting it again in ${waitMs / 1_000} s.`);
        return true;
      }
      const message = `The API ended ${failures} times in a row, the last time because: ${end.message}`;
      ended.abort(wasReady ? new ProgramEnded(message, end.code) : end);
      return false;
    },
  });
  const isReady = async (signal: AbortSignal) => {
    if (url === undefined) return undefined;
    const { ok } = await fetch(new URL("/ready", url), {
      signal: timeoutSignal(REQUEST_MS, signal),
    });
    wasReady = ok;
    return ok ? url : undefined;
  };
  return {
    ended: ended.signal,
    ready: (signal) =>
      waitFor(isReady, {
        signal,
        forMs: READY_MS,
        otherwise: `The API was not ready within ${READY_MS / 1_000} s. Its log is ${log.path}.`,
      }),
    stop: (graceMs) => program.stop(graceMs),
  };
}
