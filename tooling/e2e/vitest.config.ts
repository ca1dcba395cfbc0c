import { defineSuite } from "@grove/vitest";
import { mergeConfig } from "vitest/config";

// Whole processes with a database each, on a machine that may be busy with other suites.
export default mergeConfig(defineSuite(), {
  test: { testTimeout: 300_000, hookTimeout: 300_000 },
});
