import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  // The files of a worker share the modules, of which Playwright is the largest, its browser and its API.
  isolate: false,
  browsers: {
    plain: ["src/**/*.test.ts", "build/**/*.test.ts"],
    inOne: ["journeys/!(agents|tasks).test.ts"],
    globalSetup: ["@grove/testing/postgres-setup", "journeys/testing/sharedApis.ts"],
  },
});
