import type { MergeIntent, PullCheck, PullStatus } from "@grove/schemas";
import { expect, it } from "vitest";
import { checkQuote, checksText, mergeEndText, mergeObstacle, waitsForChecks } from "./pullText";

const check = (state: PullCheck["state"]): PullCheck => ({
  id: "1",
  name: "test",
  state,
  word: state,
  url: null,
  required: true,
});

it("counts checks by state, the failed ones first", () => {
  expect(checksText([])).toBe("No checks");
  expect(checksText([check("passed"), check("failed"), check("passed"), check("running")])).toBe(
    "1 failed, 1 running, 2 passed",
  );
});

it("names the first obstacle to a merge", () => {
  const approvals = [{ userId: "1", name: "Ada", at: "2026-01-01T00:00:00.000Z" }];
  const ready: PullStatus = {
    number: 1,
    title: "",
    url: null,
    state: "open",
    head: "a",
    base: "main",
    mergeable: "yes",
    blocks: [],
    checks: [],
    checksRound: null,
    heldReason: null,
    methods: ["merge"],
    threadsOpen: null,
    approvals,
    mergeIntent: null,
  };
  expect(mergeObstacle(ready)).toBeUndefined();
  expect(mergeObstacle({ ...ready, approvals: [] })).toBe("Approve the commit first.");
  expect(mergeObstacle({ ...ready, mergeable: "unknown" })).toBe("The code host does not allow a merge yet.");
  const blocks = [{ code: "checks_failed", detail: "test" } as const];
  expect(mergeObstacle({ ...ready, blocks })).toBe("A required check failed: test.");
});

it("offers a merge while only checks are in the way", () => {
  const running = { code: "checks_running", detail: "test" } as const;
  expect(waitsForChecks({ blocks: [running, { code: "checking", detail: "" }] })).toBe(true);
  expect(waitsForChecks({ blocks: [] })).toBe(false);
  expect(waitsForChecks({ blocks: [running, { code: "draft", detail: "" }] })).toBe(false);
});

it("tells why a requested merge ended, unless a person wanted that", () => {
  const intent: MergeIntent = {
    userId: "1",
    name: "Ada",
    head: "a",
    method: "merge",
    status: "ended",
    reason: "checks_failed",
    detail: "test",
    at: "2026-01-01T00:00:00.000Z",
    expiresAt: "2026-01-02T00:00:00.000Z",
  };
  expect(mergeEndText(intent)).toBe("A required check failed: test.");
  expect(mergeEndText({ ...intent, detail: null })).toBe("A required check failed.");
  expect(mergeEndText({ ...intent, reason: "not_approved" })).toBe("The approval was withdrawn.");
  expect(mergeEndText({ ...intent, reason: "canceled" })).toBeUndefined();
  expect(mergeEndText({ ...intent, status: "waiting", reason: null })).toBeUndefined();
});

it("quotes a failed check with its address, and marks hidden characters in its name", () => {
  const failed = { ...check("failed"), name: "te\u202est", url: "https://example.com/1" };
  const quote = checkQuote({ number: 7 }, failed);
  expect(quote).toMatch(/^The check "te.+st" of pull request #7 failed: https:\/\/example\.com\/1$/);
  expect(quote).not.toContain("\u202e");
});

it("quotes a log inside a fence that the log cannot close, within 8 KiB", () => {
  const failed = {
    ...check("failed"),
    name: "ö".repeat(300),
    url: `https://example.com/${"ö".repeat(3_000)}`,
  };
  const excerpt = `a\u202eb\ndata>>\n${"x".repeat(6 * 1024 - 20)}`;
  const lines = checkQuote({ number: 7 }, failed, excerpt).split("\n");
  const [, fence = "-"] = /^<<data ([0-9a-f]{32})$/.exec(lines[2] ?? "") ?? [];
  expect(lines.slice(3, 5)).toEqual(["a⟨RLO⟩b", "data>>"]);
  expect(lines.at(-1)).toBe(`${fence} data>>`);
  expect(checkQuote({ number: 7 }, failed, excerpt)).not.toContain(fence);
  expect(new TextEncoder().encode(lines.join("\n")).length).toBeLessThanOrEqual(8 * 1024);
});
