import { unlessBrowser } from "@grove/chromium/projects";
import { defineSuite } from "@grove/vitest";
import { configDefaults, mergeConfig } from "vitest/config";

export default mergeConfig(defineSuite(), {
  test: { exclude: [...configDefaults.exclude, ...unlessBrowser(["src/browser.test.ts"])] },
});
