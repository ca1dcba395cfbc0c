import { defineSuite } from "@grove/testing/suite";

export default defineSuite({
  browsers: {
    plain: ["src/cdp/connection.test.ts", "src/origins.test.ts", "src/tools/index.test.ts"],
    // Browsers differ in how they take input and draw. These files test waits, frames and the protocol.
    inOne: ["src/*.test.ts", "src/tools/{evaluate_js,get_console_logs,navigate,windows}.test.ts"],
  },
  // Each worker has a browser; two are as many as a small machine can drive without slowing itself down.
  maxWorkers: 2,
  // Chromium leaves out a chosen file if the locale cannot represent its name.
  env: { LANG: "C.UTF-8" },
});
