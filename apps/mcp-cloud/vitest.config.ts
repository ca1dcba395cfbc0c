import { defineSuite } from "@grove/testing/suite";

export default defineSuite({ globalSetup: ["src/testing/sharedApi.ts"] });
