import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  browsers: {
    plain: ["src/cdp/connection.test.ts", "src/origins.test.ts", "src/tools/index.test.ts"],
    // Browsers differ most in how they take clicks and text, and in what they tell about a page.
    // They also differ in the dialogs that they keep open without a client.
    inOne: [
      "src/!(dialogs|network).test.ts",
      "src/tools/!(click|type_text|inspect_dom|take_screenshot).test.ts",
    ],
  },
  first: ["src/pending.test.ts"],
  // Each worker has a browser; two are as many as a small machine can drive without slowing itself down.
  maxWorkers: 2,
  // Chromium leaves out a chosen file if the locale cannot represent its name.
  env: { LANG: "C.UTF-8" },
});
