import { defineSuite } from "@grove/testing/suite";
import { pageScriptsInTests } from "@grove/tsup/page-scripts";

export default defineSuite({
  plugins: [pageScriptsInTests],
  browsers: {
    plain: ["src/cdp/connection.test.ts", "src/access/origins.test.ts", "src/tools/index.test.ts"],
    // Browsers differ most in how they take clicks and text, and in their events.
    // They also differ in the dialogs that they keep open without a client.
    inOne: [
      "src/*.test.ts",
      "src/scenarios/!(dialogsBeforeConnecting|downloadsAndDeadAddresses).test.ts",
      "src/tools/!(click|type_text|inspect_dom|take_screenshot).test.ts",
    ],
  },
  first: ["scenarios/slowNavigations.test.ts"],
  // Each worker has a browser; two are as many as a small machine can drive without slowing itself down.
  maxWorkers: 2,
  // Chromium leaves out a chosen file if the locale cannot represent its name.
  env: { LANG: "C.UTF-8" },
});
