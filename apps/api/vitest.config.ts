import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  first: [
    "maintenance/sweeper-postgres.test.ts",
    "scenarios/lockedRows-postgres.test.ts",
    "src/main-pglite.test.ts",
  ],
  engines: {
    // The same on both engines: the surroundings of a procedure, the planner's choices, and the traffic with providers.
    onPostgres: [
      "src/{authorization,http,signIn,trpc,trpcAdapter}/**",
      "src/**/*{filter,query}Plans.test.ts",
      "src/changes/procedures/{merges,pulls}.test.ts",
      "src/notifications/{sender,targets}.test.ts",
      "src/reviews/failedChecks/**",
      "src/scenarios/{answerSizes,pullRequests,webhooksOfRepositories}.test.ts",
      "src/webhooks/routes.test.ts",
    ],
  },
});
