import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice } from "../testing/tool";

it("renames workspaces, and answers item by item", async () => {
  const ada = await newTenant();
  const otherId = "0199aaaa-0000-7000-8000-000000000002";
  const workspaces = [
    { id: anyId, name: "login" },
    { id: otherId, name: null, error: { reason: "no_such_workspace", message: "There is none." } },
  ];
  const { device, asked } = await onlineDevice(ada, () => ({ result: { workspaces } }));
  const updates = [
    { workspaceId: anyId, name: "login" },
    { workspaceId: otherId, name: "logout" },
  ];
  const answer = await ask(ada, "update_workspace", { updates });
  expect(answer.data).toEqual({ deviceId: device.id, workspaces });
  expect(asked).toEqual([{ tool: "update_workspace", params: { updates } }]);
});

it("reports an error if no item was renamed", async () => {
  const ada = await newTenant();
  const error = { reason: "no_such_workspace", message: "There is none." };
  await onlineDevice(ada, () => ({ result: { workspaces: [{ id: anyId, name: null, error }] } }));
  const { text } = await ask(ada, "update_workspace", { updates: [{ workspaceId: anyId, name: "a" }] });
  expect(text).toMatch(
    `no_such_workspace: No workspace was renamed. "${anyId}": no_such_workspace: "There is none.".`,
  );
});
