import { setMaxListeners } from "node:events";

/**
 * A signal that is aborted after a time, or with `outer`. Not AbortSignal.any and AbortSignal.timeout: where nothing else
 * holds them, Node 20 collects the two together, and they never fire (https://github.com/nodejs/node/issues/54614).
 */
export function limit(
  ms: number,
  outer?: AbortSignal,
  /** Aborts it too. */
  controller = new AbortController(),
): AbortSignal {
  setTimeout(() => controller.abort(new DOMException(`more than ${ms} ms`, "TimeoutError")), ms).unref();
  return within(outer, controller);
}

/** A controller's signal, which is aborted with `outer` too. */
export function within(outer: AbortSignal | undefined, controller: AbortController): AbortSignal {
  const { signal } = controller;
  // Each message that is under way listens to it.
  setMaxListeners(0, signal);
  outer?.addEventListener("abort", () => controller.abort(outer.reason), { once: true, signal });
  if (outer?.aborted) controller.abort(outer.reason);
  return signal;
}

/** For what lasts as long as its session: the connection rejects it when that ends. */
export const never = new AbortController().signal;
setMaxListeners(0, never);

/** Whether it was the time that aborted a signal. */
export const isTimeLimit = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === "TimeoutError";

/** Waits for a promise, but no longer than until `signal` is aborted. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
