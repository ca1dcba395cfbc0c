import { defineConfig } from "vitest/config";

// Real processes and a real database are slow on a machine that is busy with other suites.
export default defineConfig({
  test: { testTimeout: 120_000, hookTimeout: 120_000, globalSetup: ["src/testing/sharedApi.ts"] },
});
