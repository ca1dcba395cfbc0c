import { defineSuite } from "@grove/testing/suite";

// Each test runs whole processes with their own database, on a machine that may be busy with other suites.
export default defineSuite({
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // It needs programs that CI does without.
  exclude: process.env.IN_SHIP ? [] : ["src/pages/inShip.test.ts"],
});
