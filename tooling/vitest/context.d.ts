import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The engine of the project that the test file runs in. */
    engine: "pglite" | "postgres";
    /** A superuser's URL of the run's PostgreSQL; only in the project `postgres`. */
    postgresUrl: string;
    /** The name of the database that the run's test files copy: whoever needs it first makes it. */
    postgresTemplate: string;
  }
}
