import { vi } from "vitest";

/**
 * Resolves with the value of `state` once that is truthy. The limit only ends tests that hang, even on a busy machine.
 */
export const until = <State>(state: () => State | Promise<State>) =>
  vi.waitUntil(state, { timeout: 60_000, interval: 20 });
