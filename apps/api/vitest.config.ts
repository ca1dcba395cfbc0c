import { defineSuite } from "@grove/vitest";

export default defineSuite({ engines: true });
