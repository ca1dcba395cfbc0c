import { defineSuite } from "@grove/testing/suite";

export default defineSuite();
