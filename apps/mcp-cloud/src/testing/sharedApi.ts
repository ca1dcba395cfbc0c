import { TestApi } from "@grove/test-api/api";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The API that the tool tests share; each test has its own tenants. */
    apiUrl: string;
  }
}

/** Vitest's global setup. */
export default async function setup({ provide }: TestProject) {
  const api = new TestApi();
  await api.start();
  provide("apiUrl", api.url);
  return () => api.remove();
}
