import type { Device, Workspace, WorkspaceOnDevice } from "@grove/schemas";
import { expect, it } from "vitest";
import { changesOf } from "./stateLabels";
import { configOf, rowsOf } from "./workspaceRows";

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
const reported = (id: string, state: WorkspaceOnDevice["state"]): WorkspaceOnDevice => ({
  id,
  projectId: "p",
  name: id,
  branch: "renamed",
  path: "/w",
  state,
  dirty: null,
  ahead: null,
  behind: null,
  active: false,
});
const rows = (onDevices: WorkspaceOnDevice[], deleting: string[] = [], loading: string[] = []) =>
  rowsOf({
    records: [record("a"), record("b")],
    devices: [device],
    onDevices,
    loading,
    sessions: [],
    deleting: new Set(deleting),
  });

it("a row has the state that its device reports, or loading or unknown before that", () => {
  expect(rows([reported("a", "creating")]).map(({ state }) => state)).toEqual(["creating", "unknown"]);
  expect(rows([], [], ["d"]).map(({ state }) => state)).toEqual(["loading", "loading"]);
  expect(rows([])[0]).toMatchObject({ device, branch: "grove/one", base: "main" });
});

it("a row has the branch that is checked out now", () => {
  expect(rows([reported("a", "ready")])[0]?.branch).toBe("renamed");
});

it("an open command to delete a workspace overrides the device's state", () => {
  expect(rows([reported("a", "ready")], ["a"])[0]?.state).toBe("deleting");
});

it("values of the wrong type in a record are dropped", () => {
  expect(configOf({ config: { branchName: 1, path: "" } })).toEqual({});
});

it.each([
  [{ dirty: null, ahead: null, behind: null }, ""],
  [{ dirty: false, ahead: 0, behind: 0 }, "no changes"],
  [{ dirty: true, ahead: 1, behind: 3 }, "uncommitted changes, 1 commit ahead, 3 behind"],
])("describes the changes of %j as %j", (workspace, words) => {
  expect(changesOf(workspace)).toBe(words);
});
