import { expect, it } from "vitest";
import { deletionOutcome, deletionWarnings } from "./deletionOutcome";

const id = "0191d7a0-0000-7000-8000-000000000000";
const removed = { id, name: "one", worktreeRemoved: true, branchDeleted: false, warnings: [] };
const unsaved = { reason: "unsaved_work", message: 'Workspace "one" has 1 uncommitted change.' };
const settled = (item: object) => ({
  status: "succeeded" as const,
  error: null,
  result: { workspaces: [item] },
});

it("is open until the command is settled", () => {
  expect(deletionOutcome(undefined)).toBeUndefined();
  expect(deletionOutcome("sent")).toBe("open");
  expect(deletionOutcome({ status: "queued", result: null, error: null })).toBe("open");
});

it("is the device's error, for the workspace or the whole command", () => {
  expect(deletionOutcome(settled(removed))).toBe("removed");
  expect(deletionOutcome(settled({ ...removed, worktreeRemoved: false, error: unsaved }))).toEqual(unsaved);
  expect(deletionOutcome({ status: "failed", result: null, error: unsaved })).toEqual(unsaved);
  expect(deletionOutcome({ status: "lost", result: null, error: null })).toMatchObject({ reason: "lost" });
});

it("reports what the device warns of", () => {
  const warnings = ["The branch 'one' was kept.", "Some of its files are left."];
  expect(deletionWarnings(settled({ ...removed, warnings }))).toBe(warnings.join(" "));
  expect(deletionWarnings(settled(removed))).toBe("");
  expect(deletionWarnings({ result: null })).toBe("");
});
