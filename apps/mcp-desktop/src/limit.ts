import { setMaxListeners } from "node:events";

/**
 * A signal that is aborted after a time, or with `outer`. AbortSignal.any and AbortSignal.timeout cannot be used: Node
 * 20 collects both if nothing else refers to them, and they never fire (https://github.com/nodejs/node/issues/54614).
 */
export function limit(
  ms: number,
  outer?: AbortSignal,
  /** Can abort the signal too. */
  controller = new AbortController(),
): AbortSignal {
  setTimeout(() => controller.abort(new DOMException(`more than ${ms} ms`, "TimeoutError")), ms).unref();
  return within(outer, controller);
}

/** A controller's signal that is also aborted with `outer`. */
export function within(outer: AbortSignal | undefined, controller: AbortController): AbortSignal {
  const { signal } = controller;
  // Each message in flight listens to it.
  setMaxListeners(0, signal);
  outer?.addEventListener("abort", () => controller.abort(outer.reason), { once: true, signal });
  if (outer?.aborted) controller.abort(outer.reason);
  return signal;
}

/** For commands that last as long as their session: the connection rejects them when it ends. */
export const never = new AbortController().signal;
setMaxListeners(0, never);

/** Whether a signal was aborted by its time limit. */
export const isTimeLimit = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";

/** Waits for a promise, at most until `signal` is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
