import { defineSuite } from "@grove/vitest";
import { mergeConfig } from "vitest/config";

// Programs of others, a process each, on a machine that may be busy with other suites.
export default mergeConfig(defineSuite(), { test: { testTimeout: 120_000 } });
