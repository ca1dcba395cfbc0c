import type { Device, Workspace, WorkspaceOnDevice } from "@grove/schemas";
import { expect, it } from "vitest";
import { configOf, rowsOf } from "./rows";
import { changesOf } from "./words";

const at = "2026-01-01T00:00:00.000Z";
const record = (id: string): Workspace => ({
  id,
  organizationId: "o",
  projectId: "p",
  deviceId: "d",
  name: id,
  type: "worktree",
  config: { branchName: "grove/one", baseBranch: "main", path: "/w/one" },
  createdBy: null,
  createdAt: at,
  updatedAt: at,
});
const device = { id: "d", name: "laptop" } as Device;
const told = (id: string, state: WorkspaceOnDevice["state"]): WorkspaceOnDevice => ({
  ...{ id, projectId: "p", name: id, branch: "renamed", path: "/w", state },
  ...{ dirty: null, ahead: null, behind: null, active: false },
});
const rows = (onDevices: WorkspaceOnDevice[], deleting: string[] = [], asked: string[] = []) =>
  rowsOf({
    records: [record("a"), record("b")],
    devices: [device],
    onDevices,
    asked,
    sessions: [],
    deleting: new Set(deleting),
  });

it("a row has the state that its device tells, and before that says whether it is asked", () => {
  expect(rows([told("a", "creating")]).map(({ state }) => state)).toEqual(["creating", "unknown"]);
  expect(rows([], [], ["d"]).map(({ state }) => state)).toEqual(["asked", "asked"]);
  expect(rows([])[0]).toMatchObject({ device, branch: "grove/one", base: "main" });
});

it("a row has the branch that is checked out now", () => {
  expect(rows([told("a", "ready")])[0]?.branch).toBe("renamed");
});

it("an open command to delete a workspace decides over its device", () => {
  expect(rows([told("a", "ready")], ["a"])[0]?.state).toBe("deleting");
});

it("facts of another kind in a record are left out", () => {
  expect(configOf({ config: { branchName: 1, path: "" } })).toEqual({});
});

it.each([
  [{ dirty: null, ahead: null, behind: null }, ""],
  [{ dirty: false, ahead: 0, behind: 0 }, "no changes"],
  [{ dirty: true, ahead: 1, behind: 3 }, "uncommitted changes, 1 commit ahead, 3 behind"],
])("the changes of %j are %j", (workspace, words) => {
  expect(changesOf(workspace)).toBe(words);
});
