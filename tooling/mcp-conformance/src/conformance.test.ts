import { expect, it } from "vitest";
import { run, serveHttp } from "./program";

/** The scenarios that need no tools, prompts or resources of their own. */
it.each([
  "server-initialize",
  "ping",
  "tools-list",
  "dns-rebinding-protection",
  "server-sse-multiple-streams",
])("passes %s of the official conformance suite", async (scenario) => {
  const { stdout, code } = await run("conformance", [
    ...["server", "--url", await serveHttp(), "--scenario", scenario],
  ]);
  expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
  expect(code).toBe(0);
});
