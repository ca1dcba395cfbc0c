import type { PullCheck, PullStatus } from "@grove/schemas";
import { expect, it } from "vitest";
import { blockText, checkQuote, checksText, mergeObstacle } from "./pullText";

const check = (state: PullCheck["state"]): PullCheck => ({
  ...{ name: "test", state, word: state, url: null, required: true },
});

it("counts checks by state, the failed ones first", () => {
  expect(checksText([])).toBe("No checks");
  expect(checksText([check("passed"), check("failed"), check("passed"), check("running")])).toBe(
    "1 failed, 1 running, 2 passed",
  );
});

it("names the code host's own word where it is the reason", () => {
  expect(blockText({ code: "provider", detail: "a_new_word" })).toContain("a_new_word");
  expect(blockText({ code: "draft", detail: "draft_status" })).not.toContain("draft_status");
});

it("names the first obstacle to a merge", () => {
  const approvals = [{ userId: "1", name: "Ada", at: "2026-01-01T00:00:00.000Z" }];
  const ready: PullStatus = {
    ...{ number: 1, title: "", url: null, state: "open", head: "a", base: "main", mergeable: "yes" },
    ...{ blocks: [], checks: [], methods: ["merge"], threadsOpen: null, approvals },
  };
  expect(mergeObstacle(ready)).toBeUndefined();
  expect(mergeObstacle({ ...ready, approvals: [] })).toBe("Approve the commit first.");
  expect(mergeObstacle({ ...ready, mergeable: "unknown" })).toBe("The code host does not merge it now.");
  const blocks = [{ code: "checks_failed", detail: "test" } as const];
  expect(mergeObstacle({ ...ready, blocks })).toBe("A required check failed: test.");
});

it("quotes a failed check with its address, and marks hidden characters in its name", () => {
  const failed = { ...check("failed"), name: "te\u202est", url: "https://example.com/1" };
  const quote = checkQuote({ number: 7 }, failed);
  expect(quote).toMatch(/^The check "te.+st" of pull request #7 failed: https:\/\/example\.com\/1$/);
  expect(quote).not.toContain("\u202e");
});
