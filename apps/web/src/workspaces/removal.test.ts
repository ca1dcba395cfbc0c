import { expect, it } from "vitest";
import { removalOf } from "./removal";

const id = "0191d7a0-0000-7000-8000-000000000000";
const removed = { id, name: "one", worktreeRemoved: true, branchDeleted: false, warnings: [] };
const unsaved = { reason: "unsaved_work", message: 'Workspace "one" has 1 uncommitted change.' };
const settled = (item: object) => ({
  status: "succeeded" as const,
  error: null,
  result: { workspaces: [item] },
});

it("is open until the command is settled", () => {
  expect(removalOf(undefined)).toBeUndefined();
  expect(removalOf("asked")).toBe("open");
  expect(removalOf({ status: "queued", result: null, error: null })).toBe("open");
});

it("is the device's refusal, of the workspace or of the whole", () => {
  expect(removalOf(settled(removed))).toBe("removed");
  expect(removalOf(settled({ ...removed, worktreeRemoved: false, error: unsaved }))).toEqual(unsaved);
  expect(removalOf({ status: "failed", result: null, error: unsaved })).toEqual(unsaved);
  expect(removalOf({ status: "lost", result: null, error: null })).toMatchObject({ reason: "lost" });
});
