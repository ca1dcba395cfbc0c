import { browserProjects } from "@grove/chromium/projects";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A browser for each worker; two of them are as many as a small machine drives without waiting on itself.
    maxWorkers: 2,
    // Chromium leaves out a chosen file whose name the locale cannot say.
    env: { LANG: "C.UTF-8" },
    expect: { poll: { timeout: 15_000 } },
    projects: browserProjects({
      plain: ["src/cdp/connection.test.ts", "src/origins.test.ts", "src/server.test.ts"],
    }),
  },
});
