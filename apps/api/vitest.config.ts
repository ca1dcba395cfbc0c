import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  // These test what is around a procedure, which is the same on both engines.
  engines: { onPostgres: ["src/{authorization,http,trpc}/**"] },
});
