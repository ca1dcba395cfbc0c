import { afterAll, beforeAll } from "vitest";
import { TestApi } from "./api";

export type { TestApi } from "./api";
export type { Tenant } from "./tenant";

/**
 * The real API for the tests of a file. `env`: variables other than its port and data directory, such as `WEB_ORIGINS`.
 */
export function useApi(env: Record<string, string> = {}): TestApi {
  const api = new TestApi(env);
  beforeAll(() => api.start());
  // Runs even after a start that failed or took too long.
  afterAll(() => api.remove());
  return api;
}
