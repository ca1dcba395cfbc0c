import { defineConfig } from "vitest/config";

// Measurements need an idle machine, so they are not part of the suite.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.measure.ts"],
    globalSetup: ["@grove/testing/postgres-setup"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
