import { expect, it } from "vitest";
import { run, serveHttp } from "./program";

/** The scenarios that need no tools, prompts or resources of their own. */
const scenarios = {
  "2025-11-25": [
    "server-initialize",
    "server-session-lifecycle",
    "ping",
    "tools-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
  ],
  "2026-07-28": [
    "server-stateless",
    "tools-list",
    "caching",
    "http-header-validation",
    "server-sse-multiple-streams",
    "input-required-result-unsupported-methods",
  ],
};

/**
 * Checks in some of these scenarios that test features that Grove does not have: tools that ask back or log, prompts,
 * resources.
 */
const absent = [
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints",
];

it.each(
  Object.entries(scenarios).flatMap(([revision, names]) => names.map((name) => [revision, name] as const)),
)("passes, for %s, %s of the official conformance suite", async (revision, scenario) => {
  const { stdout } = await run("conformance", [
    ...["server", "--url", await serveHttp(), "--scenario", scenario, "--spec-version", revision],
  ]);
  const failed = [...stdout.matchAll(/\[([\w-]+) *\] .{0,9}FAILURE/g)].map(([, check = ""]) => check);
  const [, passed, all] = /Passed: (\d+)\/(\d+), \d+ failed, 0 warnings/.exec(stdout) ?? [];
  expect(failed.filter((check) => !absent.includes(check))).toEqual([]);
  expect(Number(passed)).toBeGreaterThan(0);
  expect(Number(all) - Number(passed)).toBe(failed.length);
});
