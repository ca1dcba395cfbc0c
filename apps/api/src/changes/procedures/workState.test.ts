import { newId } from "@grove/db";
import { HostedRepository, useProviders } from "@grove/integrations/testing";
import type { GateRun, OrganizationEvent, WorkState } from "@grove/schemas";
import { afterEach, expect, it } from "vitest";
import { anchor } from "../../reviews/testing";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { stateReporter } from "../../testing/stateReporter";

const providers = await useProviders();
const pullPolling = { checkingMs: 200, activeMs: 200, idleMs: 200 };
const server = await useTestServer({ integrations: providers.options, pullPolling });
const ada = await server.signUp("Ada");
const { organizationId, client } = ada;
const { change, review } = client.workspace;
const host = providers.servers.github;
const { credentials } = providers.access.github;
if (credentials.type === "token")
  await client.integration.connect.mutate({ organizationId, provider: "github", token: credentials.token });

const head = "a".repeat(40);
const devices: TestDevice[] = [];
afterEach(() => {
  for (const device of devices.splice(0)) device.disconnect();
});

/** A change of a task at a code host, with a machine that has its workspace. */
async function changeOnMachine() {
  const hosted = new HostedRepository("acme", `orchard-${newId()}`);
  hosted.branches.set("work", head);
  host.state.hosted.push(hosted);
  const repoUrl = `https://github.com/acme/${hosted.name}.git`;
  const project = { ...projectFields(), repoOwner: "acme", repoName: hosted.name, repoUrl };
  const { id: projectId } = await client.project.create.mutate({ organizationId, ...project });
  const task = await client.task.create.mutate({ organizationId, title: "A task", projectId });
  await client.task.update.mutate({ organizationId, id: task.id, branch: "work" });
  const { id: deviceId, apiKey } = await client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const runningGates: string[] = [];
  const device = connectDevice(server.url, apiKey, {
    capabilities: ["send_review_round", "run_gate"],
    run: async ({ id, tool }, self) => {
      await begin({ id }, self);
      if (tool === "run_gate") return runningGates.push(id);
      await self.client.agent.complete.mutate({ id, journalId: self.journalId, result: { bytes: 1 } });
    },
  });
  devices.push(device);
  await untilStatus(client, organizationId, deviceId, "online");
  const workspace = { id: newId(), name: "w", type: "worktree" as const, config: { branchName: "work" } };
  await device.client.workspace.ensure.mutate({ organizationId, project, workspace });
  const [made] = await change.list.query({ organizationId, workspaceId: workspace.id });
  const changeId = made?.id ?? "";
  const of = { organizationId, changeId };

  /** Checks the state everywhere that it is returned. */
  async function expectState(state: WorkState) {
    expect(await change.get.query({ organizationId, id: changeId })).toMatchObject({ workState: state });
    expect(await client.task.get.query({ organizationId, id: task.id })).toMatchObject({
      changeState: state,
    });
    const waiting = await change.list.query({ organizationId, waits: true, workspaceId: workspace.id });
    const waits = ["needs_input", "checks_failed", "conflicts", "ready", "approved"].includes(state);
    expect(waiting.map(({ id }) => id)).toEqual(waits ? [changeId] : []);
  }
  async function openPull() {
    const pull = hosted.open({ title: "By gh", body: "", draft: false, head: "work", base: "main" });
    if (typeof pull === "string") return expect.unreachable();
    await change.pullStatus.query(of);
    // From now on, it is read as often as this server reads pull requests.
    await server.database.db.updateTable("pull_requests").set({ poll_at: new Date() }).execute();
    return pull;
  }
  /** Waits until Grove has read the pull request after the code host has changed it. */
  async function expectPull(set: () => unknown, state: WorkState) {
    set();
    await expect
      .poll(() => change.get.query({ organizationId, id: changeId }), { timeout: 10_000 })
      .toMatchObject({ workState: state });
    await expectState(state);
  }
  const finish = () =>
    change.finish.mutate({ organizationId, workspaceId: workspace.id, summary: "Done.", tests: [] });
  /** Runs the gate. @returns a function that ends it on the device and returns the caller's answer */
  async function runGate() {
    const answer = change.runGate.mutate({ organizationId, workspaceId: workspace.id }).then(
      (run) => run,
      (error: unknown) => failure(Promise.reject(error)),
    );
    await expect.poll(() => runningGates.length).toBe(1);
    const id = runningGates.pop() ?? "";
    return async (end: { result: GateRun } | { error: { reason: string; message: string } }) => {
      await device.client.agent.complete.mutate({ id, journalId: device.journalId, ...end });
      return answer;
    };
  }
  const readGate = async () => (await change.get.query({ organizationId, id: changeId })).gate;
  return {
    hosted,
    device,
    deviceId,
    of,
    task,
    workspaceId: workspace.id,
    expectState,
    openPull,
    expectPull,
    finish,
    runGate,
    readGate,
  };
}

const gateRun = (outcome: GateRun["outcome"], checked: string | null): { result: GateRun } => ({
  result: {
    outcome,
    exitCode: outcome === "failed" ? 1 : 0,
    timedOut: false,
    output: "lint\n",
    commit: checked ?? "f".repeat(40),
    tree: "e".repeat(40),
    head: checked,
  },
});

it("forgets a gate whose device is revoked", async () => {
  const { readGate, runGate, deviceId } = await changeOnMachine();
  await runGate();
  expect(await readGate()).toMatchObject({ state: "running" });
  await client.device.revoke.mutate({ organizationId, id: deviceId });
  expect(await readGate()).toBeNull();
});

it("follows the newest gate, until that was canceled before its device took it", async () => {
  const { readGate, workspaceId, deviceId, device } = await changeOnMachine();
  device.disconnect();
  await untilStatus(client, organizationId, deviceId, "offline");
  const queue = { organizationId, deviceId, ifOffline: "queue" as const, waitMs: 0 };
  const execute = () => client.agent.execute.mutate({ ...queue, tool: "run_gate", params: { workspaceId } });
  const [older = "", newest = ""] = (await Promise.all([execute(), execute()])).map(({ id }) => id).sort();
  expect(await readGate()).toMatchObject({ commandId: newest, state: "running" });
  await client.agent.cancelCommand.mutate({ organizationId, id: older });
  expect(await readGate()).toMatchObject({ commandId: newest, state: "running" });
  await client.agent.cancelCommand.mutate({ organizationId, id: newest });
  expect(await readGate()).toBeNull();
});

/** Starts an agent session in a workspace, whose states can be reported. */
async function startAgent(device: TestDevice, workspaceId: string) {
  const { client, journalId } = device;
  const id = newId();
  await client.agent.reportSession.mutate({ type: "start", id, journalId, workspaceId, agent: "claude" });
  const report = stateReporter(device, id);
  const end = () => client.agent.reportSession.mutate({ type: "end", id, status: "exited", exitCode: 0 });
  return { id, report, end };
}

it("follows the agent: its work, its questions, its report, and a review", async () => {
  const { device, of, workspaceId, expectState, finish } = await changeOnMachine();
  await expectState("idle");
  const agent = await startAgent(device, workspaceId);
  await agent.report("working");
  await expectState("working");
  await agent.report("needs_permission");
  await expectState("needs_input");
  await agent.report("working");
  await finish();
  await expectState("ready");
  await agent.report("needs_answer");
  await expectState("needs_input");
  await agent.report("needs_answer", { source: "screen" });
  await expectState("ready");
  await agent.report("done");
  await expectState("ready");
  await review.save.mutate({ ...of, id: newId(), anchor, body: "Name it better." });
  await review.send.mutate({ ...of, sessionId: agent.id });
  await expectState("changes_requested");
  await agent.report("working");
  await expectState("changes_requested");
  await finish();
  await expectState("ready");
  await agent.report("working");
  await agent.end();
  await expectState("idle");
});

it("follows the pull request: its checks, conflicts, approval and merge", async () => {
  const { hosted, of, expectState, openPull, expectPull, finish } = await changeOnMachine();
  const check = (word: string, commit = head) =>
    hosted.checks.set(commit, [{ name: "test", word, required: true }]);
  check("in_progress");
  const pull = await openPull();
  await expectState("checks");
  await expectPull(() => check("failure"), "checks_failed");
  await expectPull(() => check("success"), "ready");
  // A check that need not pass.
  await expectPull(
    () => hosted.checks.get(head)?.push({ name: "lint", word: "failure", required: false }),
    "ready",
  );
  await expectPull(() => Object.assign(hosted, { word: "dirty" }), "conflicts");
  await expectPull(() => Object.assign(hosted, { word: undefined }), "ready");
  await finish();
  await expectState("ready");
  await change.approve.mutate({ ...of, head });
  await expectState("approved");
  await change.unapprove.mutate({ ...of, head });
  await expectState("ready");
  await change.approve.mutate({ ...of, head });
  // Another commit is not approved.
  const next = "b".repeat(40);
  await expectPull(() => hosted.branches.set("work", next), "ready");
  check("success", next);
  await change.approve.mutate({ ...of, head: next });
  await change.merge.mutate({ ...of, head: next, method: "merge" });
  await expectState("merged");
  expect(pull.state).toBe("merged");
  // Its agent finished further work in the same branch.
  await finish();
  await expectState("ready");
});

it("follows the gate: red once it failed for finished work", async () => {
  const { device, workspaceId, expectState, finish, runGate, readGate } = await changeOnMachine();
  const at = expect.any(String);
  await finish();
  let end = await runGate();
  expect(await readGate()).toMatchObject({ state: "running", head: null, at });
  await expectState("gate");
  expect(await end(gateRun("passed", head))).toMatchObject({ outcome: "passed", output: "lint\n" });
  expect(await readGate()).toMatchObject({ state: "passed", head, at });
  await expectState("ready");
  end = await runGate();
  await end(gateRun("failed", null));
  expect(await readGate()).toMatchObject({ state: "failed", head: null, at });
  await expectState("checks_failed");
  // The agent works on, and what it finished is not checked yet.
  const agent = await startAgent(device, workspaceId);
  await agent.report("working");
  await expectState("working");
  await agent.report("done");
  await finish();
  await expectState("ready");
  await agent.end();
});

it("has no gate after a script that did not run, or whose end is unknown", async () => {
  const { expectState, finish, runGate, readGate } = await changeOnMachine();
  await finish();
  for (const outcome of ["none", "not_allowed"] as const) {
    const end = await runGate();
    expect(await end(gateRun(outcome, null))).toMatchObject({ outcome });
    expect(await readGate()).toBeNull();
  }
  const end = await runGate();
  const error = { reason: "worktree_missing", message: "It is gone." };
  expect(await end({ error })).toMatchObject({ code: "PRECONDITION_FAILED", reason: "command_failed" });
  expect(await readGate()).toBeNull();
  await expectState("ready");
});

it("is red for the commit of the pull request whose gate failed, which cannot be approved or merged", async () => {
  const { hosted, of, expectState, openPull, expectPull, finish, runGate } = await changeOnMachine();
  await openPull();
  await finish();
  await change.approve.mutate({ ...of, head });
  await expectState("approved");
  let end = await runGate();
  await end(gateRun("failed", head));
  await expectState("checks_failed");
  const refused = { code: "PRECONDITION_FAILED", reason: "gate_failed" };
  expect(await failure(change.merge.mutate({ ...of, head, method: "merge" }))).toMatchObject(refused);
  expect(await failure(change.approve.mutate({ ...of, head }))).toMatchObject(refused);
  const next = "b".repeat(40);
  await expectPull(() => hosted.branches.set("work", next), "ready");
  await change.approve.mutate({ ...of, head: next });
  end = await runGate();
  await end(gateRun("passed", next));
  await expectState("approved");
});

it("is closed with its pull request, and shown by the most urgent change of the task", async () => {
  const { task, device, expectState, openPull, expectPull } = await changeOnMachine();
  const pull = await openPull();
  await expectState("ready");
  await expectPull(() => Object.assign(pull, { state: "closed" }), "closed");
  const other = { id: newId(), name: "v", type: "worktree" as const, config: { branchName: "work" } };
  const project = await client.project.get.query({ organizationId, id: task.projectId ?? "" });
  const { name, slug, repoOwner, repoName, repoUrl, defaultBranch } = project;
  await device.client.workspace.ensure.mutate({
    organizationId,
    project: { name, slug, repoOwner, repoName, repoUrl, defaultBranch },
    workspace: other,
  });
  await change.finish.mutate({ organizationId, workspaceId: other.id, summary: "Done.", tests: [] });
  expect(await client.task.get.query({ organizationId, id: task.id })).toMatchObject({
    changeState: "ready",
  });
});

it("reaches watchers of the organization", async () => {
  const { device, of, task, workspaceId } = await changeOnMachine();
  const states: (WorkState | null)[] = [];
  const received = (event: OrganizationEvent) => {
    if (event.type === "change" && event.changeId === of.changeId)
      states.push(event.workState, event.taskState);
  };
  let isReady = false;
  const watching = client.organization.watch.subscribe(
    { organizationId },
    {
      onData: ({ data }) => {
        if (data.type === "ready") isReady = true;
        else received(data);
      },
    },
  );
  await expect.poll(() => isReady).toBe(true);
  const agent = await startAgent(device, workspaceId);
  await agent.report("needs_answer");
  await expect.poll(() => states.slice(-2)).toEqual(["needs_input", "needs_input"]);
  await agent.end();
  await expect.poll(() => states.slice(-2), { timeout: 10_000 }).toEqual(["idle", "idle"]);
  expect(task.changeState).toBeNull();
  watching.unsubscribe();
});
