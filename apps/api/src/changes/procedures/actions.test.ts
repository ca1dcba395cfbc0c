import { newId } from "@grove/db";
import type { ChangeStatus } from "@grove/schemas";
import { afterEach, expect, it } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const { key } = await ada.client.apiKey.create.mutate({
  organizationId,
  name: "agent",
  scopes: ["read", "write"],
});
const agent = server.client(key);

const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

const commit = (digit: string) => digit.repeat(40);
const status: ChangeStatus = {
  branch: "login",
  base: "main",
  baseCommit: commit("b"),
  head: commit("a"),
  forkCommit: commit("b"),
  tree: commit("c"),
  ahead: 1,
  behind: 0,
  remote: "origin",
  remoteHead: null,
  uncommittedFiles: 2,
  conflictsWithBase: [],
  inTheMiddle: null,
  suggestedMessage: "Update 2 files",
};
const results = {
  run_gate: {
    outcome: "passed",
    exitCode: 0,
    timedOut: false,
    output: "",
    commit: commit("a"),
    tree: commit("c"),
    head: commit("a"),
  },
  get_change_status: status,
  commit_workspace: { commit: commit("d"), branch: "login", files: 2, skippedHooks: [], skipped: [] },
  push_branch: { branch: "login", remote: "origin", head: commit("a"), skippedHooks: [] },
  update_from_base: { head: commit("d"), base: commit("b") },
  merge_here: { commit: commit("d"), base: "main" },
};
type Tool = keyof typeof results;

/** A connected device of Ada's with a workspace. It refuses each command with `refusal`, if there is one. */
async function machine(refusal?: { reason: string; message: string }) {
  const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const commands: { tool: string; params: unknown }[] = [];
  const device = connectDevice(server.url, apiKey, {
    capabilities: Object.keys(results),
    run: async ({ id, tool, params }, self) => {
      commands.push({ tool, params });
      await begin({ id }, self);
      const answer = refusal ? { error: refusal } : { result: results[tool as Tool] };
      await self.client.agent.complete.mutate({ id, journalId: self.journalId, ...answer });
    },
  });
  connected.push(device);
  await untilStatus(ada.client, organizationId, deviceId, "online");
  const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  return { deviceId, workspaceId: workspace.id, commands };
}

const acting = {
  runGate: {},
  commit: { message: "Work", expectTree: commit("c") },
  push: { expectHead: commit("a"), force: "none" },
  update: { expectHead: commit("a"), how: "merge" },
  mergeHere: { head: commit("a"), expectBase: commit("b") },
} as const;
const tools = {
  runGate: "run_gate",
  commit: "commit_workspace",
  push: "push_branch",
  update: "update_from_base",
  mergeHere: "merge_here",
} as const;

/** Calls an acting procedure as a client. */
function act(client: typeof agent, name: keyof typeof acting, workspaceId: string, idempotencyKey = newId()) {
  const { change } = client.workspace;
  const common = { organizationId, workspaceId, idempotencyKey };
  const calls = {
    runGate: () => change.runGate.mutate(common),
    commit: () => change.commit.mutate({ ...common, ...acting.commit }),
    push: () => change.push.mutate({ ...common, ...acting.push }),
    update: () => change.update.mutate({ ...common, ...acting.update }),
    mergeHere: () => change.mergeHere.mutate({ ...common, ...acting.mergeHere }),
  };
  return calls[name]();
}

it("returns the device's status", async () => {
  const { workspaceId, commands } = await machine();
  expect(await agent.workspace.change.status.query({ organizationId, workspaceId })).toEqual(status);
  expect(commands).toEqual([{ tool: "get_change_status", params: { workspaceId } }]);
});

it.each(["runGate", "commit", "push", "update", "mergeHere"] as const)(
  "%s: once for each idempotency key",
  async (name) => {
    const { workspaceId, commands } = await machine();
    const idempotencyKey = newId();
    for (let n = 0; n < 2; n++)
      expect(await act(ada.client, name, workspaceId, idempotencyKey)).toEqual(results[tools[name]]);
    expect(commands).toEqual([{ tool: tools[name], params: { workspaceId, ...acting[name] } }]);
  },
);

it("an agent's key commits, pushes and updates, but never merges, not even by agent.execute", async () => {
  const { workspaceId, deviceId, commands } = await machine();
  for (const name of ["commit", "push", "update"] as const) await act(agent, name, workspaceId);
  const refused = { code: "FORBIDDEN", reason: "session_required" };
  expect(await failure(act(agent, "mergeHere", workspaceId))).toMatchObject(refused);
  const execution = agent.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "merge_here",
    params: { workspaceId, ...acting.mergeHere },
    waitMs: 1_000,
  });
  expect(await failure(execution)).toMatchObject(refused);
  expect(commands.map(({ tool }) => tool)).toEqual(["commit_workspace", "push_branch", "update_from_base"]);
});

it.each([
  ["commit", ["tree_changed", "nothing_to_commit", "identity_missing", "signing_failed", "hook_failed"]],
  ["push", ["protected_branch", "non_fast_forward", "lease_broken", "auth_failed", "remote_mismatch"]],
  ["push", ["branch_not_own", "remote_refused", "lfs_missing", "head_moved"]],
  ["update", ["conflicts", "agent_working", "uncommitted_work", "base_gone", "in_the_middle"]],
  ["mergeHere", ["conflicts", "uncommitted_work", "branch_checked_out", "files_in_the_way", "base_gone"]],
] as const)("%s passes on the device's refusals with their messages", async (name, reasons) => {
  for (const reason of reasons) {
    const message = `Refused for ${reason}. Do something else.`;
    const { workspaceId } = await machine({ reason, message });
    const refused = await failure(act(ada.client, name, workspaceId));
    expect(refused).toMatchObject({ code: "PRECONDITION_FAILED", reason, message });
  }
});

it("is FORBIDDEN without use of the device", async () => {
  const { workspaceId, commands } = await machine();
  for (const name of ["runGate", "commit", "push", "update", "mergeHere"] as const)
    expect(await failure(act(bob.client, name, workspaceId))).toMatchObject({
      code: "FORBIDDEN",
      reason: "device_owner_required",
    });
  expect(commands).toEqual([]);
});
