import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  // The surroundings of a procedure, and the planner's choices, are the same on both engines.
  engines: { onPostgres: ["src/{authorization,http,trpc}/**", "src/**/*{filter,query}Plans.test.ts"] },
});
