import type {} from "@grove/testing/context";
import { afterAll, beforeAll, inject } from "vitest";
import { TestApi } from "./api";

export type { TestApi } from "./api";
export type { Tenant } from "./tenant";

/**
 * The real API for the tests of a file. It has a database on the run's PostgreSQL, if the suite has
 * `@grove/testing/postgres-setup` as a global set-up. Local mode has an embedded one.
 * @param env variables other than its port and data directory, such as `WEB_ORIGINS`
 */
export function useApi(env: Record<string, string> = {}): TestApi {
  const api = new TestApi(env, { server: env.LOCAL ? undefined : inject("postgresUrl") });
  beforeAll(() => api.start());
  // Runs even after a start that failed or took too long.
  afterAll(() => api.remove());
  return api;
}
