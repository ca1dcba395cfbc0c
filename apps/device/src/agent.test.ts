import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DeviceToolName, DeviceToolResult } from "@grove/schemas";
import { useApi } from "@grove/test-api";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { isThere } from "./lib/fileSystem";
import { groveDevice, registerMachine, startAgent, type TestMachine } from "./testing/program";
import { branches, commit, git, makeRepository } from "./testing/repository";

/** Everything here is real: the built device agent, the built API on its database, git. */
const api = useApi();

async function addProject(machine: TestMachine, path: string): Promise<{ id: string; slug: string }> {
  const { stdout } = await groveDevice(["project", "add", "--json", path], machine.env);
  return JSON.parse(stdout);
}

const execute = (
  { client, organizationId, deviceId }: TestMachine,
  tool: DeviceToolName,
  params: Record<string, unknown>,
  options: { waitMs?: number; timeoutMs?: number; ifOffline?: "queue" } = {},
) => client.agent.execute.mutate({ organizationId, deviceId, tool, params, ...options });

const getCommand = ({ client, organizationId }: TestMachine, id: string, waitMs = 25_000) =>
  client.agent.getCommand.query({ organizationId, id, waitMs });

const madeBy = (command: { result?: unknown }) =>
  (command.result as DeviceToolResult<"create_workspace">).workspaces;

/** Adds a repository whose checkouts wait until the file `gate` exists. */
async function slowRepository(
  machine: TestMachine,
): Promise<{ path: string; gate: string; projectId: string }> {
  const path = await makeRepository(join(machine.directory, "slow"));
  const gate = join(machine.directory, "gate");
  await git(["config", "filter.slow.smudge", `while ! [ -e '${gate}' ]; do sleep 0.02; done; cat`], {
    cwd: path,
  });
  await commit(path, ".gitattributes", "*.txt filter=slow\n");
  const { id } = await addProject(machine, path);
  return { path, gate, projectId: id };
}

const worktree = (machine: TestMachine, name: string) =>
  join(machine.env.GROVE_HOME, "worktrees", "slow", name);
const half = (machine: TestMachine, name: string) =>
  until(() => isThere(join(worktree(machine, name), ".git")));

it("register and start, add a project while running, create workspaces, list them locally and in the cloud", async () => {
  const machine = await registerMachine(api);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const repository = await makeRepository(join(machine.directory, "my äpp"));
  const project = await addProject(machine, repository);
  expect(project.slug).toBe("my-app");

  const command = await execute(machine, "create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "Fix löгin" }, { branchName: "feature/x", baseBranch: "nope" }],
  });
  expect(command.status).toBe("succeeded");
  const [made, failed] = madeBy(command);
  expect(failed?.error?.reason).toBe("base_not_found");
  expect(made).toMatchObject({ branch: "grove/fix-login", baseBranch: "main", alreadyExisted: false });
  expect(await isThere(join(made?.path ?? "", "file-1.txt"))).toBe(true);

  const { client, organizationId, deviceId } = machine;
  const registered = await client.workspace.list.query({ organizationId });
  const config = {
    branchName: "grove/fix-login",
    baseBranch: "main",
    path: made?.path,
    forkCommit: expect.any(String),
  };
  const { id: userId } = await client.user.get.query();
  expect(registered).toMatchObject([
    {
      id: made?.id,
      projectId: project.id,
      deviceId,
      name: "Fix löгin",
      type: "worktree",
      config,
      createdBy: userId,
    },
  ]);
  const listed = await execute(machine, "list_workspaces", {});
  expect(listed.result).toMatchObject({
    workspaces: [{ id: made?.id, dirty: false, ahead: 0, active: false }],
  });
  expect((await execute(machine, "list_projects", {})).result).toMatchObject({
    projects: [{ id: project.id }],
  });
  expect((await execute(machine, "get_app_context", {})).result).toMatchObject({
    activeWorkspaceId: null,
  });

  const status = async () => JSON.parse((await groveDevice(["status", "--json"], machine.env)).stdout);
  // A confirmation is written a little later.
  await expect.poll(status).toMatchObject({
    running: true,
    pid: agent.pid,
    connected: true,
    journal: { open: 0 },
  });
  const second = await groveDevice(["start"], machine.env);
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining(`pid ${agent.pid}`)]);

  expect(await agent.end("SIGTERM")).toBe(0);
  const after = await groveDevice(["status"], machine.env);
  expect([after.code, after.stdout]).toEqual([3, expect.stringContaining("not running")]);
  expect(agent.stderr).not.toMatch(/gr[dk]_/);
});

it("switch, rename, inspect and delete workspaces, here and in the cloud", async () => {
  const machine = await registerMachine(api);
  const path = await makeRepository(join(machine.directory, "app"));
  const project = await addProject(machine, path);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"msg":"connected"');
  const made = madeBy(
    await execute(machine, "create_workspace", {
      projectId: project.id,
      workspaces: [{ name: "one" }, { name: "two" }],
    }),
  );
  const [one, two] = made.map(({ id }) => id);
  const { client, organizationId } = machine;
  const registered = async () =>
    (await client.workspace.list.query({ organizationId })).map(({ id, name }) => ({ id, name }));

  const switched = await execute(machine, "switch_workspace", { name: "two" });
  expect(switched.result).toMatchObject({ workspace: { id: two, active: true } });
  const renamed = await execute(machine, "update_workspace", {
    updates: [{ workspaceId: one, name: "first" }],
  });
  expect(renamed.result).toEqual({ workspaces: [{ id: one, name: "first" }] });
  expect(await registered()).toContainEqual({ id: one, name: "first" });
  const details = await execute(machine, "get_workspace_details", { workspaceId: one });
  expect(details.result).toMatchObject({
    workspace: { name: "first", branch: "grove/one" },
    changesTotal: 0,
    diff: { base: "main", filesChanged: 0 },
    sessions: [],
  });
  const deleted = await execute(machine, "delete_workspace", {
    workspaceIds: [one, two],
    deleteBranch: true,
  });
  expect(deleted.result).toMatchObject({
    workspaces: [
      { id: one, worktreeRemoved: true, branchDeleted: true },
      { id: two, worktreeRemoved: true, branchDeleted: true },
    ],
  });
  expect(await registered()).toEqual([]);
  expect(await branches(path)).toEqual(["main"]);
  for (const { path: worktree = "" } of made) expect(await isThere(worktree)).toBe(false);
});

it("a command that was queued while the machine was off runs once it connects", async () => {
  const machine = await registerMachine(api);
  const { id } = await execute(machine, "get_app_context", {}, { ifOffline: "queue", waitMs: 0 });
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  expect((await getCommand(machine, id)).status).toBe("succeeded");
});

it("a cancel and a timeout end git and leave nothing behind", async () => {
  const machine = await registerMachine(api);
  const { client, organizationId } = machine;
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const { path, projectId } = await slowRepository(machine);
  const params = (name: string) => ({ projectId, workspaces: [{ name }] });

  const canceled = await execute(machine, "create_workspace", params("canceled"), { waitMs: 0 });
  await half(machine, "canceled");
  await client.agent.cancelCommand.mutate({ organizationId, id: canceled.id });
  expect((await getCommand(machine, canceled.id)).status).toBe("canceled");

  const late = await execute(machine, "create_workspace", params("late"), { timeoutMs: 1_000 });
  expect(late).toMatchObject({ status: "timed_out", error: { reason: "timed_out" } });
  expect(await branches(path)).toEqual(["main"]);
  expect(await isThere(worktree(machine, "."))).toBe(false);
  expect(await client.workspace.list.query({ organizationId })).toEqual([]);
});

it("kill -9 of the API in the middle of a command: it runs once, and the caller gets its result", async () => {
  const machine = await registerMachine(api);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const { path, gate, projectId } = await slowRepository(machine);
  const params = { projectId, workspaces: [{ name: "one" }] };
  const { id } = await execute(machine, "create_workspace", params, { waitMs: 0 });
  await half(machine, "one");
  await api.stop("SIGKILL");
  await writeFile(gate, "");
  await api.start();
  const command = await getCommand(machine, id);
  expect(command.status).toBe("succeeded");
  expect(madeBy(command)).toMatchObject([{ name: "one", alreadyExisted: false }]);
  expect(await branches(path)).toEqual(["grove/one", "main"]);
});

it("kill -9 of the agent in the middle of a command: what is whole stays, what is half-made is removed and reported", async () => {
  const machine = await registerMachine(api);
  const first = startAgent(machine.env);
  await first.waitForLine('"connected"');
  const { path, gate, projectId } = await slowRepository(machine);
  await writeFile(gate, "");
  const one = await execute(machine, "create_workspace", { projectId, workspaces: [{ name: "before" }] });
  expect(one.status).toBe("succeeded");
  await git(["config", "filter.slow.smudge", `while ! [ -e '${gate}2' ]; do sleep 0.02; done; cat`], {
    cwd: path,
  });
  const params = { projectId, workspaces: [{ name: "one" }, { name: "two" }] };
  const { id } = await execute(machine, "create_workspace", params, { waitMs: 0 });
  await half(machine, "one");
  await first.end("SIGKILL");
  // git outlives the device agent, and would wait forever.
  const second = startAgent(machine.env);
  const command = await getCommand(machine, id);
  expect(command).toMatchObject({ status: "failed", error: { reason: "interrupted" } });
  expect(command.error?.message).toContain(`"one" was incomplete and has been removed.`);
  await second.waitForLine('"connected"');
  const { client, organizationId } = machine;
  const registered = await client.workspace.list.query({ organizationId });
  expect(registered.map(({ name }) => name)).toEqual(["before"]);
  expect(await branches(path)).toEqual(["grove/before", "main"]);
  await writeFile(`${gate}2`, "");
  const [again] = madeBy(
    await execute(machine, "create_workspace", { projectId, workspaces: [{ name: "one" }] }),
  );
  expect(again).toMatchObject({ name: "one", alreadyExisted: false });
});

it("an agent stopped in the middle of a command undoes its work and reports before it exits", async () => {
  const machine = await registerMachine(api);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const { path, projectId } = await slowRepository(machine);
  const params = { projectId, workspaces: [{ name: "one" }] };
  const { id } = await execute(machine, "create_workspace", params, { waitMs: 0 });
  await half(machine, "one");
  expect(await agent.end("SIGTERM")).toBe(0);
  expect(await getCommand(machine, id)).toMatchObject({ status: "failed", error: { reason: "interrupted" } });
  expect(await branches(path)).toEqual(["main"]);
});

it("an agent whose journal is no longer its own begins nothing, logs that and exits", async () => {
  const machine = await registerMachine(api);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const journal = join(machine.env.GROVE_HOME, "journal.jsonl");
  // This is what another device agent does in a container that cannot see this one's process.
  await rename(journal, `${journal}.aside`);
  await writeFile(journal, "");
  const { id } = await execute(machine, "list_projects", {}, { waitMs: 0 });
  expect((await agent.ended).code).toBe(1);
  // The owner of the journal is sent the command. On a slow disk its start has already been reported.
  const { status, result, error } = await getCommand(machine, id, 0);
  expect(["claimed", "running"]).toContain(status);
  expect([result, error]).toEqual([null, null]);
  expect(agent.stderr).toContain("is no longer the file that this grove-device writes");
});

it("a hundred simultaneous commands are each answered once", async () => {
  const machine = await registerMachine(api);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const repository = await makeRepository(join(machine.directory, "app"));
  const { id: projectId } = await addProject(machine, repository);
  // On a busy machine, a slow device may briefly count as unresponsive; then the callers wait for it.
  const queueing = { ifOffline: "queue", waitMs: 0 } as const;
  const commands = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      n % 10 === 0
        ? execute(machine, "create_workspace", { projectId, workspaces: [{}] }, queueing)
        : execute(machine, "list_projects", {}, queueing),
    ),
  );
  for (const { id } of commands)
    await expect.poll(() => getCommand(machine, id)).toMatchObject({ status: "succeeded" });
  expect(await branches(repository)).toHaveLength(11);
});
