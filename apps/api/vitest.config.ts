import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  first: [
    "maintenance/sweeper-postgres.test.ts",
    "scenarios/lockedRows-postgres.test.ts",
    "src/main-pglite.test.ts",
  ],
  engines: {
    // Run on PostgreSQL only: these tests do not depend on the engine (HTTP, query plans, calls to providers).
    onPostgres: [
      "src/{authorization,http,signIn,trpc,trpcAdapter}/**",
      "src/**/*{filter,query}Plans.test.ts",
      "src/changes/{merges/followMerge,procedures/pulls}.test.ts",
      "src/notifications/{sender,targets}.test.ts",
      "src/reviews/failures/**",
      "src/scenarios/{answerSizes,pullRequests,webhooksOfRepositories}.test.ts",
      "src/webhooks/routes.test.ts",
    ],
  },
});
