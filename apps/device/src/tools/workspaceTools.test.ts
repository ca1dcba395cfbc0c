import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, type WorkspaceMade } from "@grove/schemas";
import { expect, it } from "vitest";
import { Refusal } from "../testing/cloud";
import { member, owner, startTestDevice, type TestDevice, testContext } from "../testing/deps";
import { commit, git } from "../testing/repository";
import { startTestSession } from "../testing/session";
import { createWorkspaceTool } from "./createWorkspace";
import { getWorkspaceDetailsTool } from "./getWorkspaceDetails";
import { listWorkspacesTool } from "./listWorkspaces";
import { switchWorkspaceTool } from "./switchWorkspace";
import { updateWorkspaceTool } from "./updateWorkspace";

type Made = Required<Pick<WorkspaceMade, "id" | "name" | "path" | "branch">>;

async function make(device: TestDevice, projectId: string, ...names: string[]): Promise<Made[]> {
  const workspaces = names.map((name) => ({ name }));
  return (await createWorkspaceTool(device).run({ projectId, workspaces }, testContext()))
    .workspaces as Made[];
}

async function setUp(...names: string[]) {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  return { device, projectId: id, repository: path, made: await make(device, id, ...names) };
}

it("switching makes a workspace the active one, by id or by name", async () => {
  const { device, made } = await setUp("one", "two");
  const [one, two] = made as [Made, Made];
  const switchTo = async (params: { workspaceId?: string; name?: string }) =>
    deviceTools.switch_workspace.result.parse(await switchWorkspaceTool(device).run(params, testContext()))
      .workspace;
  expect(await switchTo({ workspaceId: two.id })).toMatchObject({
    id: two.id,
    branch: "grove/two",
    active: true,
  });
  expect(await device.store.activeWorkspaceId()).toBe(two.id);
  expect(await switchTo({ name: "one" })).toMatchObject({ id: one.id, active: true });
  const { workspaces } = await listWorkspacesTool(device).run({}, testContext());
  expect(workspaces.filter(({ active }) => active).map(({ id }) => id)).toEqual([one.id]);

  await expect(switchTo({ name: "three" })).rejects.toMatchObject({ reason: "workspace_not_found" });
  await expect(switchTo({ workspaceId: randomUUID() })).rejects.toMatchObject({
    reason: "workspace_not_found",
  });
  await rm(two.path, { recursive: true });
  await expect(switchTo({ workspaceId: two.id })).rejects.toMatchObject({ reason: "worktree_missing" });
  expect(await device.store.activeWorkspaceId()).toBe(one.id);
  const other = await device.addRepository("other", { slug: "other" });
  const [same] = (await make(device, other.id, "one")) as [Made];
  await expect(switchTo({ name: "one" })).rejects.toMatchObject({
    reason: "several_workspaces",
    message: expect.stringContaining(same.id),
  });
});

const rename = async (
  device: TestDevice,
  updates: { workspaceId: string; name: string }[],
  context = testContext(),
) => {
  const result = await updateWorkspaceTool(device).run({ updates }, context);
  return deviceTools.update_workspace.result.parse(result).workspaces;
};

it("renaming changes the name here and in the cloud, not directory and branch", async () => {
  const { device, made } = await setUp("one", "two");
  const [one, two] = made as [Made, Made];
  const unknown = randomUUID();
  const renamed = await rename(device, [
    { workspaceId: one.id, name: "修复 login" },
    { workspaceId: unknown, name: "x" },
    { workspaceId: two.id, name: "修复 login" },
    { workspaceId: two.id, name: "two" },
  ]);
  expect(renamed).toEqual([
    { id: one.id, name: "修复 login" },
    { id: unknown, name: null, error: expect.objectContaining({ reason: "workspace_not_found" }) },
    { id: two.id, name: "two", error: expect.objectContaining({ reason: "name_taken" }) },
    { id: two.id, name: "two" },
  ]);
  expect(device.test.workspaces.get(one.id)?.workspace.name).toBe("修复 login");
  expect(await device.store.workspace(one.id)).toMatchObject({
    name: "修复 login",
    path: one.path,
    branch: one.branch,
  });
  // The old name is free again.
  const [again] = (await make(device, [...device.test.projects.keys()][0] ?? "", "one")) as [Made];
  expect(again).toMatchObject({ name: "one", branch: "grove/one-2", path: `${one.path}-2` });
});

it("a workspace that the API refuses keeps its old name; one that the API has forgotten is renamed here", async () => {
  const { device, made } = await setUp("one", "two");
  const [one, two] = made as [Made, Made];
  device.test.faults["workspace.update"] = () => {
    throw new Refusal("FORBIDDEN", "role_required");
  };
  expect(await rename(device, [{ workspaceId: one.id, name: "new" }])).toEqual([
    { id: one.id, name: "one", error: expect.objectContaining({ reason: "role_required" }) },
  ]);
  device.test.faults["workspace.update"] = undefined;
  device.test.workspaces.delete(two.id);
  expect(await rename(device, [{ workspaceId: two.id, name: "new" }])).toEqual([{ id: two.id, name: "new" }]);
});

it("a rename that a crash cut off is finished", async () => {
  const { device, made } = await setUp("one");
  const [one] = made as [Made];
  const context = testContext();
  await rename(device, [{ workspaceId: one.id, name: "new" }], context);
  const stale = await device.store.workspace(one.id);
  await device.store.saveWorkspace({ ...(stale ?? expect.fail()), name: "one" });
  const report = await updateWorkspaceTool(device).recover?.(context.notes, testContext());
  expect(report).toContain(`${one.id} is now called "new"`);
  expect(await device.store.workspace(one.id)).toMatchObject({ name: "new" });
});

it("details: changes, commits, the diff to the base, sessions", async () => {
  const { device, repository, made } = await setUp("one");
  const [one] = made as [Made];
  const session = await startTestSession(device, one.id, {
    command: ["sh", "-c", "printf '\\033[1mone\\033[0m 1%%\\rone done\\ntwo'; sleep 1000", "{prompt}"],
  });
  await session.said("two");
  await commit(one.path, "ünï code.txt", "1\n2\n");
  await commit(repository, "later.txt");
  await writeFile(join(one.path, "file-1.txt"), "changed\n");
  await writeFile(join(one.path, "new file\n?"), "");
  const result = await getWorkspaceDetailsTool(device).run({ workspaceId: one.id }, testContext());
  expect(deviceTools.get_workspace_details.result.parse(result)).toMatchObject({
    workspace: { id: one.id, dirty: true, ahead: 1, behind: 1, active: false },
    changes: [
      { path: "file-1.txt", status: " M" },
      { path: "new file\n?", status: "??" },
    ],
    changesTotal: 2,
    commits: [
      { subject: "ünï code.txt", author: "Test", sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
      { subject: "file-1.txt" },
    ],
    diff: { base: "main", filesChanged: 3, insertions: 3, deletions: 1 },
    sessions: [{ id: session.id, agent: "test", status: "running", output: "one done\ntwo" }],
  });
});

it("a session's last output is shown only to the user who started it and to the device's owner", async () => {
  const { device, made } = await setUp("one");
  const [one] = made as [Made];
  const agent = { command: ["sh", "-c", "echo hello; sleep 1000", "{prompt}"] };
  const session = await startTestSession(device, one.id, agent, "x", { requester: member });
  await session.said("hello");
  const stranger = { id: randomUUID(), isOwner: async () => false };
  const nobody = { id: null, isOwner: async () => false };
  const unknown = { id: randomUUID(), isOwner: () => Promise.reject(new Error("the API is unreachable")) };
  const outputs = [];
  for (const requester of [owner, member, stranger, nobody, unknown]) {
    const context = testContext(undefined, requester);
    const result = await getWorkspaceDetailsTool(device).run({ workspaceId: one.id }, context);
    outputs.push(deviceTools.get_workspace_details.result.parse(result).sessions[0]?.output);
  }
  expect(outputs).toEqual(["hello", "hello", undefined, undefined, undefined]);
});

it("details are bounded, and there is no diff without a base", async () => {
  const { device, made } = await setUp("one");
  const [one] = made as [Made];
  await git(["commit", "--quiet", "--allow-empty", "--message", "🌳".repeat(1_000)], { cwd: one.path });
  for (let n = 0; n < 210; n++) await writeFile(join(one.path, `new-${n}`), "");
  const kept = (await device.store.workspace(one.id)) ?? expect.fail();
  await device.store.saveWorkspace({ ...kept, baseBranch: "gone", baseCommit: "0".repeat(40) });
  const details = await getWorkspaceDetailsTool(device).run({ workspaceId: one.id }, testContext());
  expect(details.changes).toHaveLength(200);
  expect(details.changesTotal).toBe(210);
  expect(details.commits[0]?.subject.length).toBeLessThanOrEqual(300);
  expect(details.commits[0]?.subject.isWellFormed()).toBe(true);
  expect(details.diff).toBe(null);
});
