import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, type WorkspaceMade } from "@grove/schemas";
import { expect, it } from "vitest";
import { emptyTrash, trashName } from "../../git/worktree/removeWorktree";
import { listWorktrees } from "../../git/worktree/worktree";
import { isThere } from "../../lib/fileSystem";
import { Refusal } from "../../testing/cloud";
import { startTestDevice, testContext } from "../../testing/deps";
import { branches, git } from "../../testing/repository";
import { createWorkspaceTool } from "../createWorkspace";
import { deleteWorkspaceTool } from "../deleteWorkspace";
import type { NotedRemoval } from "./removal";

type Made = Required<Pick<WorkspaceMade, "id" | "name" | "path" | "branch">>;

/** A workspace, and the journal's note of its deletion that is about to begin. */
async function setUp() {
  const device = await startTestDevice();
  const { id: projectId, path: repository } = await device.addRepository("app");
  const { workspaces } = await createWorkspaceTool(device).run(
    { projectId, workspaces: [{ name: "otter" }] },
    testContext(),
  );
  const made = workspaces[0] as Made;
  const noted: NotedRemoval = {
    id: made.id,
    name: made.name,
    path: made.path,
    trash: join(device.home.worktreesDir, trashName(randomUUID())),
    repository,
    branch: made.branch,
    bases: ["main"],
    force: false,
  };
  const recover = () => deleteWorkspaceTool(device).recover?.([noted], testContext());
  const expectNothing = async () => {
    expect(await listWorktrees(git, repository)).toHaveLength(1);
    expect(await branches(repository)).toEqual(["main"]);
    expect(await readdir(device.home.worktreesDir)).toEqual([]);
    expect(await device.store.workspaces()).toEqual([]);
    expect(device.test.workspaces.size).toBe(0);
  };
  return { device, repository, made, noted, recover, expectNothing };
}

it("a deletion that was cut off before it began leaves the workspace as it is", async () => {
  const { device, made, recover } = await setUp();
  expect(await recover()).toContain(`"otter" (${made.id}) is still at ${made.path}`);
  expect(await isThere(join(made.path, "file-1.txt"))).toBe(true);
  expect(await device.store.workspaces()).toHaveLength(1);
  expect(await deleteWorkspaceTool(device).recover?.([], testContext())).toBe("Nothing was removed.");
});

it.each([
  ["the directory was moved away", "moved"],
  ["its files were removed", "removed"],
  ["git had forgotten it", "forgotten"],
  ["all but the entries was done", "branch"],
] as const)(
  "a deletion that was cut off when %s is finished, even if it is recovered repeatedly",
  async (_, when) => {
    const { made, noted, repository, recover, expectNothing } = await setUp();
    await rename(made.path, noted.trash);
    if (when !== "moved") await rm(noted.trash, { recursive: true });
    if (when === "forgotten" || when === "branch") await git(["worktree", "prune"], { cwd: repository });
    if (when === "branch") await git(["branch", "-D", made.branch], { cwd: repository });
    expect(await recover()).toContain(`"otter" (${made.id}) has been removed.`);
    await expectNothing();
    await recover();
    await expectNothing();
  },
);

it("a branch that was made again after a deletion stays", async () => {
  const { device, made, repository, recover } = await setUp();
  const params = deviceTools.delete_workspace.params.parse({ workspaceIds: [made.id], deleteBranch: true });
  await deleteWorkspaceTool(device).run(params, testContext());
  await git(["branch", made.branch], { cwd: repository });
  expect(await recover()).toContain(`"otter" (${made.id}) has been removed.`);
  expect(await branches(repository)).toEqual([made.branch, "main"]);
});

it("a workspace that the API refuses to delete is reported, and kept for another try", async () => {
  const { device, made, noted, recover, expectNothing } = await setUp();
  await rename(made.path, noted.trash);
  device.test.faults["workspace.delete"] = () => {
    throw new Refusal("FORBIDDEN", "role_required");
  };
  expect(await recover()).toContain("removed from this machine");
  device.test.faults["workspace.delete"] = undefined;
  const params = deviceTools.delete_workspace.params.parse({ workspaceIds: [made.id] });
  expect((await deleteWorkspaceTool(device).run(params, testContext())).workspaces[0]?.error).toBeUndefined();
  await expectNothing();
});

it("files that a crash left behind are removed, and nothing else", async () => {
  const { device, made, noted } = await setUp();
  await mkdir(join(noted.trash, "deep"), { recursive: true });
  await emptyTrash(device.home.worktreesDir);
  expect(await readdir(device.home.worktreesDir)).toEqual(["app"]);
  expect(await isThere(made.path)).toBe(true);
});
