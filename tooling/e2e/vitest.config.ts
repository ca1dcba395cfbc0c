import { defineSuite } from "@grove/vitest";
import { mergeConfig } from "vitest/config";

// Each test runs whole processes with their own database, on a machine that may be busy with other suites.
export default mergeConfig(defineSuite(), {
  test: { testTimeout: 300_000, hookTimeout: 300_000 },
});
