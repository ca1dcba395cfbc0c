import { defineConfig } from "vitest/config";

// These only take screenshots, so they are not part of the suite.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.shots.ts"],
    globalSetup: ["@grove/testing/postgres-setup"],
    testTimeout: 600_000,
    hookTimeout: 120_000,
  },
});
