import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  browsers: {
    plain: ["src/**/*.test.ts", "build/**/*.test.ts"],
    // Browsers differ most in a terminal's keys and clipboard, and in dragging.
    inOne: ["journeys/!(agents|drag).test.ts"],
    globalSetup: ["@grove/testing/postgres-setup", "journeys/testing/sharedApis.ts"],
  },
});
