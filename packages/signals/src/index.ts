import { setMaxListeners } from "node:events";

/**
 * Returns a signal that is aborted after `ms` milliseconds, or with `outer`. Its timer keeps no process alive.
 *
 * It replaces `AbortSignal.timeout`, which Node 20 may collect before it fires, if only `AbortSignal.any` refers
 * to it. The timer here keeps the signal.
 * @see https://github.com/nodejs/node/issues/54614
 */
export function timeoutSignal(
  ms: number,
  outer?: AbortSignal,
  /** Can abort the signal too. */
  controller = new AbortController(),
): AbortSignal {
  setTimeout(() => controller.abort(new DOMException(`more than ${ms} ms`, "TimeoutError")), ms).unref();
  return linkedSignal(outer, controller);
}

/** Returns the signal of `controller`, which is now aborted with `outer` too. */
export function linkedSignal(outer: AbortSignal | undefined, controller: AbortController): AbortSignal {
  const { signal } = controller;
  // Many calls may listen to one signal, each until it is over.
  setMaxListeners(0, signal);
  if (!outer) return signal;
  setMaxListeners(0, outer);
  outer.addEventListener("abort", () => controller.abort(outer.reason), { once: true, signal });
  if (outer.aborted) controller.abort(outer.reason);
  return signal;
}

/** Whether a signal was aborted by its time limit. */
export const isTimeLimit = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";

/**
 * Waits for a promise, at most until `signal` is aborted.
 * @throws {unknown} the signal's reason when aborted; otherwise the promise's error
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    // Also after an abort: an unhandled rejection ends the process.
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
  });
}
