import { afterAll, beforeAll } from "vitest";
import { TestApi } from "./api";

export type { Tenant, TestApi } from "./api";

/** The real API for the tests of a file. `env`: variables beyond its port and data, as `WEB_ORIGINS`. */
export function useApi(env: Record<string, string> = {}): TestApi {
  const api = new TestApi(env);
  beforeAll(() => api.start());
  // Also after a start that failed or took too long.
  afterAll(() => api.remove());
  return api;
}
