import { vi } from "vitest";

/** Resolves with the value of `state` once that is truthy. The limit is generous, and only for tests that hang. */
export const until = <State>(state: () => State | Promise<State>) =>
  vi.waitUntil(state, { timeout: 60_000, interval: 20 });
