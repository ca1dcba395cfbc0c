import { newId } from "@grove/db";
import type { GateRun, GateSkipped } from "@grove/schemas";
import { afterEach, expect, it } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { projectFields } from "../../testing/fixtures";
import { useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId, client } = ada;
const { change } = client.workspace;

const devices: TestDevice[] = [];
afterEach(() => {
  for (const device of devices.splice(0)) device.disconnect();
});

/** A machine with a workspace of a project whose finished work is checked, and an agent there. */
async function machine({ checkOnFinish = true, capabilities = ["run_gate"], isOnline = true } = {}) {
  const { id: projectId, ...project } = await client.project.create.mutate({
    organizationId,
    ...projectFields(),
  });
  await client.project.update.mutate({ organizationId, id: projectId, checkOnFinish });
  const { id: deviceId, apiKey } = await client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const commands: { id: string; params: unknown }[] = [];
  const device = connectDevice(server.url, apiKey, {
    capabilities,
    run: async ({ id, params }, self) => {
      await begin({ id }, self);
      commands.push({ id, params });
    },
  });
  devices.push(device);
  await untilStatus(client, organizationId, deviceId, "online");
  const { name, slug, repoOwner, repoName, repoUrl, defaultBranch } = project;
  const workspaceId = newId();
  await device.client.workspace.ensure.mutate({
    organizationId,
    project: { name, slug, repoOwner, repoName, repoUrl, defaultBranch },
    workspace: { id: workspaceId, name: "w", type: "worktree", config: { branchName: "work" } },
  });
  const sessionId = newId();
  await server.database.db
    .insertInto("agent_sessions")
    .values({
      organization_id: organizationId,
      id: sessionId,
      device_id: deviceId,
      workspace_id: workspaceId,
      agent: "claude",
      started_by: ada.user.id,
      started_with: `user:${ada.user.id}`,
    })
    .execute();
  const [made] = await change.list.query({ organizationId, workspaceId });
  const id = made?.id ?? "";
  const work = { summary: "Done.", tests: [] };
  /** By the agent's own socket, which has no key. */
  const finish = () => device.client.agent.finishWork.mutate({ sessionId, ...work });
  const finishByApi = () => change.finish.mutate({ organizationId, workspaceId, ...work });
  const read = () => change.get.query({ organizationId, id });
  const end = (index: number, answer: { result: GateRun } | { error: { reason: string; message: string } }) =>
    device.client.agent.complete.mutate({
      id: commands[index]?.id ?? "",
      journalId: device.journalId,
      ...answer,
    });
  if (!isOnline) {
    device.disconnect();
    await untilStatus(client, organizationId, deviceId, "offline");
  }
  return { workspaceId, commands, finish, finishByApi, read, end };
}

const gateRun = (outcome: GateRun["outcome"]): { result: GateRun } => ({
  result: { outcome, exitCode: 0, timedOut: false, output: "", commit: null, tree: null, head: null },
});

it("checks finished work, whoever reports it", async () => {
  const { workspaceId, commands, finish, finishByApi, read, end } = await machine();
  expect(await finish()).toMatchObject({ workState: "gate", gate: { state: "running" }, gateSkipped: null });
  await expect.poll(() => commands).toHaveLength(1);
  expect(commands[0]?.params).toEqual({ workspaceId, unlessChecked: true });
  await end(0, gateRun("passed"));
  expect(await read()).toMatchObject({ workState: "ready", gate: { state: "passed" } });
  await finishByApi();
  await expect.poll(() => commands).toHaveLength(2);
  await end(1, gateRun("failed"));
  expect(await read()).toMatchObject({ workState: "red", gate: { state: "failed" }, gateSkipped: null });
});

it("checks nothing unless the project wants it", async () => {
  const { commands, finish, read } = await machine({ checkOnFinish: false });
  expect(await finish()).toMatchObject({ workState: "ready", gate: null, gateSkipped: null });
  expect(await read()).toMatchObject({ gate: null });
  expect(commands).toEqual([]);
});

it.each<[GateSkipped, Parameters<typeof machine>[0]]>([
  ["device_offline", { isOnline: false }],
  ["unsupported_tool", { capabilities: ["list_projects"] }],
])("leaves the change as it is with %s", async (gateSkipped, options) => {
  const { commands, finishByApi } = await machine(options);
  expect(await finishByApi()).toMatchObject({ workState: "ready", gate: null, gateSkipped });
  expect(commands).toEqual([]);
});

it.each([
  ["not_allowed", gateRun("not_allowed")],
  ["no_check", gateRun("none")],
  ["not_run", { error: { reason: "worktree_missing", message: "It is gone." } }],
] as const)("shows that the check did not run: %s", async (gateSkipped, answer) => {
  const { commands, finish, read, end } = await machine();
  await finish();
  await expect.poll(() => commands).toHaveLength(1);
  await end(0, answer);
  expect(await read()).toMatchObject({ workState: "ready", gate: null, gateSkipped });
  // The next finish tries again.
  await finish();
  expect(await read()).toMatchObject({ workState: "gate", gateSkipped: null });
});
