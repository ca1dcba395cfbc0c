import { defineConfig } from "vitest/config";

// Not the preset of @grove/vitest, which builds on this package.
export default defineConfig({ test: { testTimeout: 60_000, hookTimeout: 60_000 } });
