import { defineSuite } from "@grove/testing/suite";

// Each test runs whole processes with their own database, on a machine that may be busy with other suites.
export default defineSuite({
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // These tests need programs that CI does without.
  exclude: [
    ...(process.env.IN_SHIP ? [] : ["src/pages/shipCommands.test.ts"]),
    ...(process.env.REAL_AGENTS ? [] : ["src/realAgents/**"]),
  ],
  // Most of these wait for time-outs of minutes. The journey among them keeps a second processor busy.
  first: [
    "faults/soak.test.ts",
    "faults/outage.test.ts",
    "faults/terminal.test.ts",
    "src/journey.test.ts",
    "faults/sweeper.test.ts",
    "faults/idle.test.ts",
    "faults/sleepingMachine.test.ts",
  ],
  maxWorkers: 4,
});
