import { randomUUID } from "node:crypto";
import { readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { deviceTools, type WorkspaceMade } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { JournalReplacedError } from "../errors";
import { listWorktrees } from "../git/worktree/worktree";
import { isThere } from "../lib/fileSystem";
import { Refusal } from "../testing/cloud";
import { startTestDevice, type TestDevice, testContext } from "../testing/deps";
import { branches, commit, git, makeRepository } from "../testing/repository";
import { gitOverSsh } from "../testing/ssh";
import { createWorkspaceTool, makeWorkspaces } from "./createWorkspace";

type Requests = { name?: string; branchName?: string; existingBranch?: string; baseBranch?: string }[];

const create = async (
  device: TestDevice,
  projectId: string,
  workspaces: Requests,
  context = testContext(),
) => {
  const params = deviceTools.create_workspace.params.parse({ projectId, workspaces });
  const result = await createWorkspaceTool(device).run(params, context);
  return deviceTools.create_workspace.result.parse(result).workspaces;
};

const errorOf = (made: WorkspaceMade | undefined) => made?.error?.reason;

/** Expects no trace of a workspace: no directory, branch, git record, or entry here or in the cloud. */
async function expectNothing(device: TestDevice, repository: string, branchesBefore = ["main"]) {
  expect(await readdir(device.home.worktreesDir)).toEqual([]);
  expect(await branches(repository)).toEqual(branchesBefore);
  expect(await listWorktrees(git, repository)).toHaveLength(1);
  expect(await device.store.workspaces()).toEqual([]);
  expect(device.test.workspaces.size).toBe(0);
}

// Contract: cloud.createWorkspace.defaults, cloud.createWorkspace.forwards
it("omitted names and branches are generated, and everything is registered", async () => {
  const device = await startTestDevice();
  const project = await device.addRepository("app with späce");
  const context = testContext();
  const made = await create(device, project.id, [{}, {}], context);
  for (const item of made) {
    expect(item).toMatchObject({ alreadyExisted: false, baseBranch: "main" });
    expect(item.name).toMatch(/^[a-z]+-[a-z]+$/);
    expect(item.branch).toBe(`grove/${item.name}`);
    expect(item.path).toBe(join(device.home.worktreesDir, "app", item.name));
    expect(await isThere(join(item.path ?? "", "file-1.txt"))).toBe(true);
    expect(device.test.workspaces.get(item.id ?? "")).toMatchObject({
      commandId: context.commandId,
      project: { slug: "app", repoUrl: `file://${project.path}` },
      workspace: {
        type: "worktree",
        config: {
          branchName: item.branch,
          baseBranch: "main",
          path: item.path,
          forkCommit: expect.any(String),
        },
      },
    });
  }
  expect(new Set(made.map(({ name }) => name)).size).toBe(2);
  expect((await device.store.workspaces()).map(({ id }) => id).sort()).toEqual(
    made.map(({ id }) => id).sort(),
  );
  // Only switch_workspace makes one active.
  expect(await device.store.activeWorkspaceId()).toBeNull();
});

it("for any name the directory is one plain name under the home, unique on disk", async () => {
  const device = await startTestDevice();
  const { id } = await device.addRepository("app");
  const names = ["../../../etc/passwd", "修复/登录", "x".repeat(200), "CON", "fix: login?", "Fix Login!"];
  const made = [
    ...(await create(
      device,
      id,
      names.slice(0, 3).map((name) => ({ name })),
    )),
    ...(await create(
      device,
      id,
      names.slice(3).map((name) => ({ name })),
    )),
  ];
  expect(made.map(({ error }) => error)).toEqual(names.map(() => undefined));
  expect(made.map(({ name }) => name)).toEqual(names);
  const folder = join(device.home.worktreesDir, "app");
  for (const { path = "" } of made) {
    expect(dirname(path)).toBe(folder);
    expect(basename(path)).toMatch(/^[a-z0-9-]{1,64}$/);
  }
  expect(made.at(-1)?.path).toBe(join(folder, "fix-login-2"));
  expect((await readdir(folder)).length).toBe(names.length);
});

it("each item fails for its own reason, and the others stay", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  for (const branch of ["taken", "a"]) await git(["branch", branch], { cwd: path });
  const made = await create(device, id, [
    { branchName: "taken" },
    { branchName: "a/b" },
    { branchName: "not..valid" },
    { baseBranch: "mian" },
    { name: "fine", branchName: "feature/fine", baseBranch: "taken" },
  ]);
  expect(made.map(errorOf)).toEqual([
    "branch_exists",
    "branch_exists",
    "invalid_branch",
    "base_not_found",
    undefined,
  ]);
  expect(made[0]?.error?.message).toContain("choose another branchName");
  expect(made[4]).toMatchObject({ branch: "feature/fine", baseBranch: "taken" });
  expect(await branches(path)).toEqual(["a", "feature/fine", "main", "taken"]);
  expect(await device.store.workspaces()).toHaveLength(1);
});

it("the same name and branch again returns the existing workspace; another branch is refused", async () => {
  const device = await startTestDevice();
  const { id } = await device.addRepository("app");
  const [first] = await create(device, id, [{ name: "Login", branchName: "feature/login" }]);
  const [same, byName, byBranch, other] = await create(device, id, [
    { name: "Login", branchName: "feature/login" },
    { name: "Login" },
    { branchName: "feature/login" },
    { name: "Login", branchName: "feature/other" },
  ]);
  expect(same).toEqual({ ...first, alreadyExisted: true });
  expect(byName).toEqual(same);
  expect(byBranch).toEqual(same);
  expect(errorOf(other)).toBe("name_taken");
  // Once its directory is deleted, the workspace no longer exists and its name is free again.
  await rm(first?.path ?? "", { recursive: true });
  const [again] = await create(device, id, [{ name: "Login" }]);
  expect(again).toMatchObject({ alreadyExisted: false, branch: "grove/login", path: first?.path });
  expect((await device.store.workspaces()).map((workspace) => workspace.id)).toEqual([again?.id]);
});

it("a branch named `grove` does not prevent a workspace", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  await git(["branch", "grove"], { cwd: path });
  expect((await create(device, id, [{ name: "x" }]))[0]).toMatchObject({ branch: "grove-x" });
});

// Contract: cloud.createWorkspace.defaults
it("without main the project's default branch is the base, which the item reports", async () => {
  const device = await startTestDevice();
  const { id } = await device.addRepository("app", { branch: "trunk", defaultBranch: "trunk" });
  expect((await create(device, id, [{}]))[0]).toMatchObject({ baseBranch: "trunk" });
});

it("errors for a repository without commits, and for a deleted one, suggest what to do", async () => {
  const device = await startTestDevice();
  const empty = await device.addRepository("empty", { commits: 0 });
  expect(errorOf((await create(device, empty.id, [{}]))[0])).toBe("no_commits");
  await rm(empty.path, { recursive: true });
  await expect(create(device, empty.id, [{}])).rejects.toMatchObject({
    reason: "repository_missing",
    message: expect.stringContaining("project add"),
  });
  await expect(create(device, randomUUID(), [{}])).rejects.toMatchObject({ reason: "project_not_found" });
});

it("many simultaneous commands on one repository do not collide", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  const tool = createWorkspaceTool(device);
  const made = (
    await Promise.all(
      Array.from({ length: 6 }, () =>
        tool.run({ projectId: id, workspaces: [{}, { name: "same" }] }, testContext()),
      ),
    )
  ).flatMap(({ workspaces }) => workspaces);
  expect(made.filter(({ error }) => error)).toEqual([]);
  expect(made.filter(({ alreadyExisted }) => !alreadyExisted)).toHaveLength(7);
  expect(await listWorktrees(git, path)).toHaveLength(8);
  expect(await branches(path)).toHaveLength(8);
});

it("a workspace that the API refuses to register is rolled back, and the error gives the reason", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  device.test.faults["workspace.ensure"] = () => {
    throw new Refusal("CONFLICT", "workspace_id_taken");
  };
  const [made] = await create(device, id, [{ name: "x" }]);
  expect(made).toEqual({
    name: "x",
    alreadyExisted: false,
    error: expect.objectContaining({ reason: "workspace_id_taken" }),
  });
  await expectNothing(device, path);
});

it("it waits for a cloud that is briefly unreachable", async () => {
  const device = await startTestDevice();
  const { id } = await device.addRepository("app");
  let failures = 3;
  device.test.faults["workspace.ensure"] = device.test.faults["project.get"] = () => {
    if (failures-- > 0) throw new Refusal("SERVICE_UNAVAILABLE");
  };
  expect((await create(device, id, [{}]))[0]).toMatchObject({ alreadyExisted: false });
});

it("a command that is ended removes everything it made, except workspaces with work in them", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  const abort = new AbortController();
  let ensured = 0;
  device.test.faults["workspace.ensure"] = async () => {
    if (++ensured < 3) return;
    const touched = (await device.store.workspaces()).find(({ name }) => name === "touched");
    await writeFile(join(touched?.path ?? "", "work"), "");
    abort.abort(new Error("canceled"));
    throw new Refusal("SERVICE_UNAVAILABLE");
  };
  const running = create(
    device,
    id,
    [{ name: "one" }, { name: "touched" }, { name: "three" }],
    testContext(abort.signal),
  );
  await expect(running).rejects.toThrow("canceled");
  expect((await device.store.workspaces()).map(({ name }) => name)).toEqual(["touched"]);
  expect([...device.test.workspaces.values()].map(({ workspace }) => workspace.name)).toEqual(["touched"]);
  expect(await branches(path)).toEqual(["grove/touched", "main"]);
});

it.each(["is ended", "cannot register it"])(
  "an agent whose home another one has taken undoes nothing when its command %s",
  async (how) => {
    const device = await startTestDevice();
    const { id, path } = await device.addRepository("app");
    const abort = new AbortController();
    const context = testContext(abort.signal);
    device.test.faults["workspace.ensure"] = () => {
      context.note = () => Promise.reject(new JournalReplacedError(device.home.journalFile));
      if (how === "is ended") abort.abort(new Error("stopping"));
      throw new Refusal(how === "is ended" ? "SERVICE_UNAVAILABLE" : "FORBIDDEN");
    };
    await create(device, id, [{ name: "otter" }], context).catch(() => {});
    // The other agent has kept the worktree.
    expect(await listWorktrees(git, path)).toHaveLength(2);
    expect(await branches(path)).toEqual(["grove/otter", "main"]);
    expect(await device.store.workspaces()).toMatchObject([{ name: "otter" }]);
  },
);

it("a workspace undone while the API is unreachable is removed from the cloud once that is back", async () => {
  const device = await startTestDevice();
  const { id } = await device.addRepository("app");
  const abort = new AbortController();
  let away = true;
  device.test.faults["workspace.delete"] = () => {
    if (away) throw new Refusal("SERVICE_UNAVAILABLE");
  };
  let ensured = 0;
  device.test.faults["workspace.ensure"] = () => {
    if (++ensured < 2) return;
    abort.abort(new Error("canceled"));
    throw new Refusal("SERVICE_UNAVAILABLE");
  };
  const running = create(device, id, [{ name: "one" }, { name: "two" }], testContext(abort.signal));
  await expect(running).rejects.toThrow("canceled");
  expect(device.test.workspaces.size).toBeGreaterThan(0);
  away = false;
  await expect.poll(() => device.test.workspaces.size, { timeout: 40_000 }).toBe(0);
}, 60_000);

it("an abort in the middle of git leaves nothing behind", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  await commit(path, ".gitattributes", "* filter=slow\n");
  // A checkout that takes forever, as a huge one does.
  await git(["config", "filter.slow.smudge", "sleep 600"], { cwd: path });
  const abort = new AbortController();
  const running = create(device, id, [{ name: "x" }], testContext(abort.signal));
  const failed = expect(running).rejects.toThrow("canceled");
  await until(() => isThere(join(device.home.worktreesDir, "app", "x", ".git")));
  abort.abort(new Error("canceled"));
  await failed;
  await expectNothing(device, path);
});

it("a hosted project is cloned once and fetched later, and its branches come from origin", async () => {
  const { git: overSsh } = await gitOverSsh();
  const device = { ...(await startTestDevice()), git: overSsh };
  const origin = await makeRepository(join(device.directory, "origin"), { branch: "trunk" });
  const repoUrl = `ssh://git@host.example${encodeURI(origin)}`;
  const project = device.test.addProject({ repoUrl, slug: "hosted", defaultBranch: "trunk" });
  const context = testContext();
  const tool = createWorkspaceTool(device);
  const both = await Promise.all([
    tool.run({ projectId: project.id, workspaces: [{}] }, context),
    tool.run({ projectId: project.id, workspaces: [{}] }, testContext()),
  ]);
  for (const { workspaces } of both) expect(workspaces[0]).toMatchObject({ baseBranch: "origin/trunk" });
  expect(await readdir(device.home.reposDir)).toEqual([project.id]);
  expect(context.lines[0]).toContain("Cloning");

  await commit(origin, "newer.txt");
  const [later] = await create(device, project.id, [{}]);
  expect(await isThere(join(later?.path ?? "", "newer.txt"))).toBe(true);
  await rm(origin, { recursive: true });
  const [stale] = await create(device, project.id, [{}]);
  expect(await isThere(join(stale?.path ?? "", "newer.txt"))).toBe(true);
  expect(stale?.warnings).toEqual([
    expect.stringMatching(
      /^origin could not be fetched .* Using the last fetched state, which may be out of date\.$/s,
    ),
  ]);
  const [missing] = await create(device, project.id, [{ baseBranch: "newest" }]);
  expect(missing?.error).toMatchObject({
    reason: "base_not_found",
    message: expect.stringMatching(/origin could not be fetched .* try again when origin is reachable\.$/s),
  });
});

it("a directory of another device, or an address that must not be cloned, is refused", async () => {
  const device = await startTestDevice();
  const elsewhere = device.test.addProject({ repoUrl: "file:///home/else/app" });
  await expect(create(device, elsewhere.id, [{}])).rejects.toMatchObject({
    reason: "repository_not_on_device",
  });
  const secret = device.test.addProject({ repoUrl: "https://user:hunter2@host.example/app.git" });
  await expect(create(device, secret.id, [{}])).rejects.toMatchObject({ reason: "invalid_repo_url" });
});

it("a workspace that is made by hand, without a command, is made once when the API's answer is lost", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  let lost = 0;
  device.test.afterwards["workspace.ensure"] = () => {
    if (lost++ === 0) throw new Refusal("INTERNAL_SERVER_ERROR");
  };
  const { commandId: _, ...context } = testContext();
  const { workspaces } = await makeWorkspaces(device, { projectId: id, workspaces: [{}] }, context);
  expect(lost).toBe(2);
  expect(workspaces).toMatchObject([{ alreadyExisted: false }]);
  expect([...device.test.workspaces.keys()]).toEqual([workspaces[0]?.id]);
  expect(await listWorktrees(git, path)).toHaveLength(2);
});
