import { vi } from "vitest";

/** Resolves with what `state` gives once that is truthy. The limit only ends what hangs, on a busy machine, too. */
export const until = <State>(state: () => State | Promise<State>) =>
  vi.waitUntil(state, { timeout: 60_000, interval: 20 });
