import { TestApi } from "@grove/test-api/api";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** One API per worker, which its journeys share. Each test has its own users and organizations. */
    apis: Pick<TestApi, "url" | "databaseUrl">[];
  }
}

/** Vitest's global setup of each browser, after that of PostgreSQL. */
export default async function setup(project: TestProject) {
  const { postgresUrl } = project.getProvidedContext();
  const apis = Array.from(
    { length: project.vitest.config.maxWorkers },
    () => new TestApi({}, { server: postgresUrl }),
  );
  const remove = async () => void (await Promise.all(apis.map((api) => api.remove())));
  try {
    await Promise.all(apis.map((api) => api.start()));
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide(
    "apis",
    apis.map(({ url, databaseUrl }) => ({ url, databaseUrl })),
  );
  return remove;
}
