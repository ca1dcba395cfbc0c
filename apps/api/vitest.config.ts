import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  // The surroundings of a procedure, and the planner's choices, are the same on both engines.
  first: [
    "maintenance/sweeper-postgres.test.ts",
    "scenarios/lockedRows-postgres.test.ts",
    "src/main-pglite.test.ts",
  ],
  engines: {
    onPostgres: [
      "src/{authorization,http,signIn,trpc,trpcAdapter}/**",
      "src/**/*{filter,query}Plans.test.ts",
      // 120 scripts, whose kinds of delivery are tested on both engines elsewhere.
      "src/scenarios/pullRequests.test.ts",
    ],
  },
});
