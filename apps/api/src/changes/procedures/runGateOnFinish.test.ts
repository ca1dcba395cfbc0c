import type { GateSkipped } from "@grove/schemas";
import { expect, it } from "vitest";
import { useTestServer } from "../../testing/server";
import { gateRun, useGateMachines } from "../testing";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { machine } = useGateMachines(server, ada);

it("runs the gate on work that an agent or a user reports as finished", async () => {
  const { workspaceId, commands, finish, finishByApi, read, end } = await machine();
  expect(await finish()).toMatchObject({ workState: "gate", gate: { state: "running" }, gateSkipped: null });
  await expect.poll(() => commands).toHaveLength(1);
  expect(commands[0]?.params).toEqual({ workspaceId, reuseResult: true });
  await end(gateRun("passed"));
  expect(await read()).toMatchObject({ workState: "ready", gate: { state: "passed" } });
  await finishByApi();
  await expect.poll(() => commands).toHaveLength(2);
  await end(gateRun("failed"));
  expect(await read()).toMatchObject({
    workState: "checks_failed",
    gate: { state: "failed" },
    gateSkipped: null,
  });
});

it("runs nothing unless the project is configured so", async () => {
  const { commands, finish, read } = await machine({ gateOnFinish: false });
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
  ["no_gate", gateRun("none")],
  ["not_run", { error: { reason: "worktree_missing", message: "It is gone." } }],
] as const)("shows that the gate did not run: %s", async (gateSkipped, answer) => {
  const { commands, finish, read, end } = await machine();
  await finish();
  await expect.poll(() => commands).toHaveLength(1);
  await end(answer);
  expect(await read()).toMatchObject({ workState: "ready", gate: null, gateSkipped });
  // The next finish tries again.
  await finish();
  await expect.poll(() => commands).toHaveLength(2);
  expect(await read()).toMatchObject({ workState: "gate", gateSkipped: null });
});
