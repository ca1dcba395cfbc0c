import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser of the project that the test file runs in. */
    browser: "bundled" | "installed";
  }
}
