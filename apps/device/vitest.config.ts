import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  first: ["sessions/agentSessions.test.ts"],
  globalSetup: ["@grove/testing/postgres-setup"],
});
