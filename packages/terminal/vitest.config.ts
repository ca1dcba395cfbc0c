import { defineSuite } from "@grove/vitest";

export default defineSuite();
