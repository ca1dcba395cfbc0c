import { defineConfig } from "vitest/config";
import { browserProjects } from "./src/projects.js";

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: browserProjects({ plain: ["src/find.test.ts"] }),
  },
});
