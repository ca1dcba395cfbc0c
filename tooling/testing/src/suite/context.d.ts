import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The engine of the project that the test file runs in. */
    engine: "pglite" | "postgres";
    /** The browser of the project that the test file runs in. */
    browser: "bundled" | "installed";
    /** The URL of the run's PostgreSQL, as a superuser; only in the project `postgres`. */
    postgresUrl: string;
    /** The name of the database that the run's test files copy. The first file that needs it makes it. */
    postgresTemplate: string;
  }
}
