import { defineConfig } from "vitest/config";

// A browser for each worker; two of them are as many as a small machine drives without waiting on itself.
export default defineConfig({ test: { testTimeout: 30_000, hookTimeout: 60_000, maxWorkers: 2 } });
