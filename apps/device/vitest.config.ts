import { defineSuite } from "@grove/testing/suite";

export default defineSuite({ globalSetup: ["@grove/testing/postgres-setup"] });
