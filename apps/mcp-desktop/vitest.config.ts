import { browserProjects } from "@grove/chromium/projects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Each worker has a browser; two are as many as a small machine can drive without slowing itself down.
    maxWorkers: 2,
    // Chromium leaves out a chosen file if the locale cannot represent its name.
    env: { LANG: "C.UTF-8" },
    expect: { poll: { timeout: 15_000 } },
    projects: browserProjects({
      plain: ["src/cdp/connection.test.ts", "src/origins.test.ts", "src/tools/index.test.ts"],
    }),
  },
});
