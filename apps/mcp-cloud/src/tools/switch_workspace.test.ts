import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

it("switches by id or by name, and returns the workspace that is now active", async () => {
  const ada = await newTenant();
  const shown = { id: anyId, name: "quiet fern", branch: "quiet-fern", path: "/w/quiet fern" };
  const state = { projectId: anyId, dirty: false, ahead: null, behind: null, active: true };
  const { device, asked } = await onlineDevice(ada, () => ({
    result: { workspace: { ...shown, ...state } },
  }));
  const byId = await ask(ada, "switch_workspace", { workspaceId: anyId });
  expect(byId.data).toEqual({ deviceId: device.id, workspace: shown });
  await ask(ada, "switch_workspace", { deviceId: device.id, name: "quiet fern" });
  expect(asked).toEqual([
    { tool: "switch_workspace", params: { workspaceId: anyId } },
    { tool: "switch_workspace", params: { name: "quiet fern" } },
  ]);
});

it("accepts exactly one of workspaceId and name", async () => {
  const ada = await newTenant();
  const next = "Give exactly one of workspaceId and name; list_workspaces shows both.";
  expect((await ask(ada, "switch_workspace")).text).toBe(
    `invalid_input: Neither workspaceId nor name is given. ${next}`,
  );
  expect((await ask(ada, "switch_workspace", { workspaceId: anyId, name: "a" })).text).toBe(
    `invalid_input: workspaceId and name are both given. ${next}`,
  );
});
