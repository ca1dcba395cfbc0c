import { TestApi } from "@grove/test-api/api";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The API that the tests of tools share, each with tenants of its own. */
    apiUrl: string;
  }
}

/** vitest's global set-up. */
export default async function setup({ provide }: TestProject) {
  const api = new TestApi();
  await api.start();
  provide("apiUrl", api.url);
  return () => api.remove();
}
