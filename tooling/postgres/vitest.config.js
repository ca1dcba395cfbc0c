import { defineConfig } from "vitest/config";

// Does not use the preset of @grove/vitest, which depends on this package.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
