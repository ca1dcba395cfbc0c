import { newId } from "@grove/db";
import type { ListedPoints } from "@grove/schemas";
import { afterEach, expect, it } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");

const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

const commit = (digit: string) => digit.repeat(40);
const listed: ListedPoints = {
  head: commit("a"),
  points: [
    {
      point: commit("b"),
      kind: "turn",
      turn: 1,
      at: "2026-01-02T03:04:05.000Z",
      files: 2,
      added: 5,
      removed: 1,
    },
  ],
};

type Answer = { result: unknown } | { error: { reason: string; message: string } };

/** A connected device of Ada's with a workspace. It answers each command with the result of `answer`. */
async function machine(answer: (tool: string, params: unknown) => Answer) {
  const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const commands: string[] = [];
  const device = connectDevice(server.url, apiKey, {
    capabilities: ["list_points", "restore_point"],
    run: async ({ id, tool, params }, self) => {
      commands.push(tool);
      await begin({ id }, self);
      await self.client.agent.complete.mutate({ id, journalId: self.journalId, ...answer(tool, params) });
    },
  });
  connected.push(device);
  await untilStatus(ada.client, organizationId, deviceId, "online");
  const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  return { deviceId, device, workspaceId: workspace.id, commands };
}

const restoration = (workspaceId: string) => ({
  organizationId,
  workspaceId,
  point: commit("b"),
  expectHead: commit("a"),
  mode: "files" as const,
});

it("lists the points of the device, and restores one once for each idempotency key", async () => {
  const given: unknown[] = [];
  const { workspaceId, commands } = await machine((tool, params) => {
    given.push(params);
    return { result: tool === "list_points" ? listed : { newPoint: commit("c") } };
  });
  expect(await ada.client.workspace.listPoints.query({ organizationId, workspaceId })).toEqual(listed);
  const input = { ...restoration(workspaceId), idempotencyKey: newId() };
  for (let n = 0; n < 2; n++)
    expect(await ada.client.workspace.undo.mutate(input)).toEqual({ newPoint: commit("c") });
  expect(commands).toEqual(["list_points", "restore_point"]);
  const { organizationId: _organization, idempotencyKey: _key, ...params } = input;
  expect(given).toEqual([{ workspaceId }, params]);
});

it.each([
  "agent_working",
  "files_in_the_way",
  "head_moved",
  "in_the_middle",
  "point_gone",
  "points_off",
  "would_drop_pushed",
])("passes on the device's refusal %s with its message, which names the next step", async (reason) => {
  const message = `Refused for ${reason}. Do something else.`;
  const { workspaceId } = await machine(() => ({ error: { reason, message } }));
  const refused = await failure(ada.client.workspace.undo.mutate(restoration(workspaceId)));
  expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", reason, message });
  expect(refused.data.details).toMatchObject({ status: "failed", error: { reason } });
});

it("answers command_failed for every other failure of the device", async () => {
  const error = { reason: "git_failed", message: "git failed. Run grove doctor." };
  const { workspaceId } = await machine(() => ({ error }));
  expect(await failure(ada.client.workspace.listPoints.query({ organizationId, workspaceId }))).toMatchObject(
    { code: "PRECONDITION_FAILED", reason: "command_failed", message: error.message },
  );
});

it("is NOT_FOUND in another organization, and FORBIDDEN without use of the device", async () => {
  const { workspaceId, deviceId, commands } = await machine(() => ({ result: listed }));
  const elsewhere = { organizationId: eve.organizationId, workspaceId };
  for (const call of [
    () => eve.client.workspace.listPoints.query(elsewhere),
    () => eve.client.workspace.undo.mutate({ ...restoration(workspaceId), ...elsewhere }),
  ])
    expect(await failure(call())).toMatchObject({ code: "NOT_FOUND" });
  for (const call of [
    () => bob.client.workspace.listPoints.query({ organizationId, workspaceId }),
    () => bob.client.workspace.undo.mutate(restoration(workspaceId)),
  ])
    expect(await failure(call())).toMatchObject({ code: "FORBIDDEN", reason: "device_owner_required" });
  expect(commands).toEqual([]);
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  expect(await bob.client.workspace.listPoints.query({ organizationId, workspaceId })).toEqual(listed);
});

it("reports why no points are listed: the device is offline, or no device has the workspace", async () => {
  const { workspaceId, deviceId, device } = await machine(() => ({ result: listed }));
  device.disconnect();
  await untilStatus(ada.client, organizationId, deviceId, "offline");
  const list = () => ada.client.workspace.listPoints.query({ organizationId, workspaceId });
  expect(await failure(list())).toMatchObject({ reason: "device_offline" });
  const project = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
  const onNone = await ada.client.workspace.create.mutate({
    organizationId,
    projectId: project.id,
    name: "main",
    type: "main",
    config: {},
  });
  expect(await failure(ada.client.workspace.undo.mutate(restoration(onNone.id)))).toMatchObject({
    code: "PRECONDITION_FAILED",
    reason: "workspace_not_on_device",
  });
});
