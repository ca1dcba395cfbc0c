import { defineSuite } from "@grove/testing/suite";

// Packs and installs everything that is published, on a machine that may be busy with other suites.
export default defineSuite({ testTimeout: 300_000, hookTimeout: 300_000 });
