import { TestApi } from "@grove/test-api/api";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The API that the tool tests share; each test has its own tenants. */
    apiUrl: string;
  }
}

/** Vitest's global setup. It runs after PostgreSQL's. */
export default async function setup(project: TestProject) {
  const api = new TestApi({}, { server: project.getProvidedContext().postgresUrl });
  await api.start();
  project.provide("apiUrl", api.url);
  return () => api.remove();
}
