import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { findWorkspace, requireReady } from "../../home/workspaces";
import { startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { branches, git } from "../../testing/repository";
import { prepareTool } from "../../tool";
import { createWorkspaceTool } from "../createWorkspace";
import { createTools } from "../tools";
import { whenNotBusy } from "./construction";

/** A device whose project has a setup that runs until the test lets it end. */
async function slowDevice() {
  const device = await startTestDevice();
  const { id: projectId, path: repository } = await device.addRepository("app");
  const gate = join(device.directory, "gate");
  await mkdir(join(repository, ".grove"));
  await writeFile(
    join(repository, ".grove", "setup"),
    `echo begun > "${gate}.begun"; while [ ! -e "${gate}" ]; do sleep 0.05; done; touch made\n`,
  );
  await git(["add", "--", ".grove"], { cwd: repository });
  await git(["commit", "--quiet", "--message", "setup"], { cwd: repository });
  await writeFile(device.home.configFile, JSON.stringify({ allowRepositoryScripts: true }), { mode: 0o600 });
  const context = testContext();
  const creating = createWorkspaceTool(device).run({ projectId, workspaces: [{ name: "slow" }] }, context);
  await until(async () => (await readdir(device.directory)).includes("gate.begun"));
  const [entry] = await device.store.workspaces();
  return {
    device,
    projectId,
    repository,
    creating,
    id: entry?.id ?? "",
    commandId: context.commandId,
    letEnd: () => writeFile(gate, ""),
  };
}

/** Runs a tool as the executor does; an error becomes its reason and message. */
async function use(device: TestDevice, tool: string, params: object) {
  return prepareTool(createTools(device), tool, params)(testContext());
}

it("a workspace that is being set up is listed as such, and cannot be used or made twice", async () => {
  const { device, projectId, creating, id, commandId, letEnd } = await slowDevice();
  const list = async () =>
    deviceTools.list_workspaces.result.parse(await use(device, "list_workspaces", {})).workspaces;
  expect(await list()).toMatchObject([{ id, name: "slow", state: "creating", dirty: null, ahead: null }]);
  const busy = {
    reason: "workspace_busy",
    message: `Workspace "slow" (${id}) is still being created. Wait for command ${commandId} (get_command), then try again.`,
  };
  const session = { workspaceId: id, prompt: "go" };
  await expect(use(device, "start_agent_session", session)).rejects.toMatchObject(busy);
  await expect(use(device, "get_workspace_details", { workspaceId: id })).rejects.toMatchObject(busy);
  await expect(use(device, "switch_workspace", { workspaceId: id })).rejects.toMatchObject(busy);
  await expect(use(device, "switch_workspace", { name: "slow" })).rejects.toMatchObject(busy);
  const renamed = use(device, "update_workspace", { updates: [{ workspaceId: id, name: "other" }] });
  expect(await renamed).toMatchObject({ workspaces: [{ error: busy }] });
  const again = use(device, "create_workspace", { projectId, workspaces: [{ name: "slow" }] });
  expect(await again).toMatchObject({ workspaces: [{ name: "slow", error: busy }] });

  await letEnd();
  expect(await creating).toMatchObject({ workspaces: [{ id, alreadyExisted: false }] });
  expect(await list()).toMatchObject([{ id, state: "ready", dirty: false }]);
  expect(await use(device, "create_workspace", { projectId, workspaces: [{ name: "slow" }] })).toMatchObject({
    workspaces: [{ id, alreadyExisted: true }],
  });
});

it("deleting a workspace that is being set up ends the setup, and leaves nothing behind", async () => {
  const { device, repository, creating, id } = await slowDevice();
  expect(await use(device, "delete_workspace", { workspaceIds: [id] })).toEqual({
    workspaces: [
      {
        id,
        name: "slow",
        worktreeRemoved: true,
        branchDeleted: true,
        warnings: ["It was still being created; that has been ended and undone."],
      },
    ],
  });
  expect(await creating).toEqual({
    workspaces: [
      {
        name: "slow",
        alreadyExisted: false,
        error: { reason: "workspace_deleted", message: 'Workspace "slow" was deleted before it was ready.' },
      },
    ],
  });
  expect(await readdir(device.home.worktreesDir)).toEqual([]);
  expect(await branches(repository)).toEqual(["main"]);
  expect(await device.store.workspaces()).toEqual([]);
  expect(device.test.workspaces.size).toBe(0);
});

it("a workspace that another process is making is neither made nor deleted, unless by force", async () => {
  const device = await startTestDevice();
  const { id: projectId } = await device.addRepository("app");
  const [made] = (
    await createWorkspaceTool(device).run({ projectId, workspaces: [{ name: "one" }] }, testContext())
  ).workspaces;
  const id = made?.id ?? randomUUID();
  const entry = await device.store.workspace(id);
  if (!entry) throw new Error("no entry");
  await device.store.saveWorkspace({ ...entry, creating: {} });
  const again = createWorkspaceTool(device).run({ projectId, workspaces: [{ name: "one" }] }, testContext());
  expect((await again).workspaces[0]?.error).toEqual({
    reason: "workspace_busy",
    message: `Workspace "one" (${id}) is still being created. Wait, then try again. If nothing is creating it any longer, delete it with force.`,
  });
  const remove = (force: boolean) => use(device, "delete_workspace", { workspaceIds: [id], force });
  expect(await remove(false)).toMatchObject({
    workspaces: [{ name: "one", worktreeRemoved: false, error: { reason: "workspace_busy" } }],
  });
  expect(await remove(true)).toMatchObject({ workspaces: [{ worktreeRemoved: true }] });
});

it("a workspace that is finished while it is being read is read again; another process's causes no wait", async () => {
  const { device, creating, id, letEnd } = await slowDevice();
  const { signal } = testContext();
  const read = await device.store.workspace(id);
  await letEnd();
  await creating;
  let reads = 0;
  const work = async () => {
    // The first read is from before the work ended, the later ones are current.
    if (reads++ === 0 && read) requireReady(read);
    return findWorkspace(device, id);
  };
  expect(await whenNotBusy(device, work, signal)).toMatchObject({ id, name: "slow" });
  const elsewhere = whenNotBusy(device, async () => read && requireReady(read), signal);
  await expect(elsewhere).rejects.toMatchObject({ reason: "workspace_busy" });
});
