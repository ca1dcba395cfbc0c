import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { createGit } from "../../git/run";
import { addWorktree, listWorktrees } from "../../git/worktree/worktree";
import { isThere } from "../../lib/fileSystem";
import { Refusal } from "../../testing/cloud";
import { startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { branches, commit, git, gitEnv } from "../../testing/repository";
import { createWorkspaceTool } from "../createWorkspace";
import { recoverWorkspaces } from "./recovery";
import { keepLocally, type NotedWorkspace } from "./registration";

/** The journal's notes of an item that is about to be made. */
async function noteOf(
  device: TestDevice,
  projectId: string,
  repository: string,
  name: string,
): Promise<NotedWorkspace> {
  const {
    name: projectName,
    slug,
    repoOwner,
    repoName,
    repoUrl,
    defaultBranch,
  } = device.test.projects.get(projectId) ?? expect.fail();
  return {
    id: crypto.randomUUID(),
    projectId,
    project: { name: projectName, slug, repoOwner, repoName, repoUrl, defaultBranch },
    repository,
    name,
    branch: `grove/${name}`,
    baseBranch: "main",
    commit: (await git(["rev-parse", "HEAD"], { cwd: repository })).trim(),
    path: join(device.home.worktreesDir, "app", name),
  };
}

async function setUp() {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  const note = (name: string) => noteOf(device, id, path, name);
  return { device, repository: path, note };
}

/** Makes another workspace at the path of the recorded workspace. */
async function takePlaceOf(device: TestDevice, { projectId, name, path }: NotedWorkspace) {
  const made = await createWorkspaceTool(device).run({ projectId, workspaces: [{ name }] }, testContext());
  const [theirs] = made.workspaces;
  expect(theirs?.path).toBe(path);
  return theirs;
}

it("a complete worktree is kept, registered and reported, not made again", async () => {
  const { device, note, repository } = await setUp();
  const noted = await note("otter");
  await addWorktree(git, noted);
  await writeFile(join(noted.path, "work"), "");
  const context = testContext();
  const report = await recoverWorkspaces(device, [noted], context);
  expect(report.message).toContain(
    `"otter" (${noted.id}) is at ${noted.path} on branch 'grove/otter' and is registered`,
  );
  expect(report.created).toEqual([noted.path]);
  expect(await isThere(join(noted.path, "work"))).toBe(true);
  expect(device.test.workspaces.get(noted.id)).toMatchObject({ commandId: context.commandId });
  expect(await device.store.workspaces()).toMatchObject([{ id: noted.id, name: "otter" }]);
  // A recovery that is interrupted and called again has the same result.
  await recoverWorkspaces(device, [noted], context);
  expect(await listWorktrees(git, repository)).toHaveLength(2);
  expect(await device.store.workspaces()).toHaveLength(1);
});

it("a worktree whose setup had not begun is removed, unless it was handed out without one", async () => {
  const { device, note, repository } = await setUp();
  await writeFile(device.home.configFile, JSON.stringify({ allowRepositoryScripts: true }), { mode: 0o600 });
  await mkdir(join(repository, ".grove"));
  await commit(repository, join(".grove", "setup"), "touch made\n");
  const [unready, ready] = [await note("unready"), await note("ready")];
  for (const noted of [unready, ready]) await addWorktree(git, noted);
  await keepLocally(device, unready, {});
  await keepLocally(device, ready);
  const report = await recoverWorkspaces(device, [unready, ready], testContext());
  expect(report.message).toContain(`"unready" was incomplete and has been removed.`);
  expect(report.message).toContain(`"ready" (${ready.id}) is at`);
  expect(report.created).toEqual([ready.path]);
  expect([await isThere(unready.path), await isThere(ready.path)]).toEqual([false, true]);
  expect(await device.store.workspaces()).toMatchObject([{ id: ready.id }]);
});

it("half-made worktrees are removed: not begun, branch alone, directory alone, git killed in the middle", async () => {
  const { device, note, repository } = await setUp();
  const [nothing, branch, directory, killed] = await Promise.all(
    ["nothing", "branch", "directory", "killed"].map(note),
  );
  if (!nothing || !branch || !directory || !killed) expect.fail();
  await git(["branch", branch.branch, branch.commit], { cwd: repository });
  await mkdir(directory.path, { recursive: true });
  await writeFile(join(directory.path, "file"), "");
  await addWorktree(git, killed);
  await git(["worktree", "lock", "--reason", "initializing", "--", killed.path], { cwd: repository });
  await rm(join(killed.path, "file-1.txt"));

  const report = await recoverWorkspaces(device, [nothing, branch, directory, killed], testContext());
  for (const name of ["nothing", "branch", "directory", "killed"])
    expect(report.message).toContain(`"${name}" was incomplete and has been removed.`);
  expect(await branches(repository)).toEqual(["main"]);
  expect(await listWorktrees(git, repository)).toHaveLength(1);
  expect(await isThere(join(device.home.worktreesDir, "app"))).toBe(false);
});

it.each(["before it makes the branch", "while it fills the worktree"])(
  "git that outlives the agent is ended %s",
  async (when) => {
    const { device, note, repository } = await setUp();
    const programs = join(device.directory, "programs");
    const began = join(device.directory, "began");
    await mkdir(programs);
    const wait = `touch '${began}'; exec sleep 600`;
    // A git that is slow to start, as on a busy machine.
    if (when.startsWith("before"))
      await writeFile(join(programs, "git"), `#!/bin/sh\n${wait}\n`, { mode: 0o755 });
    await commit(repository, ".gitattributes", "*.txt filter=slow\n");
    await git(["config", "filter.slow.smudge", wait], { cwd: repository });
    const noted = await note("otter");
    const adding = addWorktree(createGit({ ...gitEnv, PATH: `${programs}:${gitEnv.PATH}` }), noted);
    const ended = expect(adding).rejects.toThrow();
    await until(() => isThere(began));
    const report = await recoverWorkspaces(device, [noted], testContext());
    await ended;
    expect(report.message).toContain(`"otter" was incomplete and has been removed.`);
    expect(await branches(repository)).toEqual(["main"]);
    expect(await listWorktrees(git, repository)).toHaveLength(1);
    expect(await isThere(noted.path)).toBe(false);
  },
);

it("a worktree that was being undone is removed, unless a person has begun to work in it", async () => {
  const { device, note, repository } = await setUp();
  const [early, unused, used] = [await note("early"), await note("unused"), await note("used")];
  const notes: unknown[] = [early, { undoing: early.id }];
  for (const noted of [early, unused, used]) {
    await addWorktree(git, noted);
    await keepLocally(device, noted);
  }
  for (const { id } of [unused, used]) notes.push({ undoing: id, status: "" });
  await writeFile(join(used.path, "work"), "");
  const report = await recoverWorkspaces(device, [unused, used, ...notes], testContext());
  expect(report.message).toContain(`"early" was incomplete and has been removed.`);
  expect(report.message).toContain(`"unused" was incomplete and has been removed.`);
  expect(report.message).toContain(`"used" (${used.id}) is at`);
  expect(await isThere(join(used.path, "work"))).toBe(true);
  expect(await branches(repository)).toEqual(["grove/used", "main"]);
  expect(await device.store.workspaces()).toMatchObject([{ id: used.id }]);
});

it("a worktree undone before the crash is left alone: by now it may belong to another command", async () => {
  const { device, note, repository } = await setUp();
  const noted = await note("otter");
  await takePlaceOf(device, noted);
  expect(await recoverWorkspaces(device, [noted, { undone: noted.id }], testContext())).toEqual({
    message: "No workspace was created.",
    created: [],
  });
  expect(await listWorktrees(git, repository)).toHaveLength(2);
});

it.each(["half-made", "whole"])(
  "a %s workspace is left alone if another one has taken its place",
  async (how) => {
    const { device, note, repository } = await setUp();
    const noted = await note("otter");
    const theirs = await takePlaceOf(device, noted);
    await writeFile(join(noted.path, "work"), "");
    const notes = how === "whole" ? [noted] : [noted, { settingUp: noted.id }];
    expect((await recoverWorkspaces(device, notes, testContext())).message).toContain("was kept");
    expect(await isThere(join(noted.path, "work"))).toBe(true);
    expect(await device.store.workspaces()).toMatchObject([{ id: theirs?.id }]);
    expect(await listWorktrees(git, repository)).toHaveLength(2);
    expect([...device.test.workspaces.keys()]).toEqual([theirs?.id]);
  },
);

it("if an item was tried several times, its last note counts", async () => {
  const { device, note } = await setUp();
  const [first, last] = [await note("otter"), await note("otter")];
  await addWorktree(git, last);
  await recoverWorkspaces(device, [first, last], testContext());
  expect([...device.test.workspaces.keys()]).toEqual([last.id]);
});

it("a worktree that the API refuses stays, and a missing repository is reported", async () => {
  const { device, note, repository } = await setUp();
  const noted = await note("otter");
  await addWorktree(git, noted);
  device.test.faults["workspace.ensure"] = () => {
    throw new Refusal("CONFLICT", "workspace_id_taken");
  };
  expect((await recoverWorkspaces(device, [noted], testContext())).message).toContain(
    "not registered in the cloud",
  );
  expect(await isThere(noted.path)).toBe(true);
  await rm(repository, { recursive: true });
  expect((await recoverWorkspaces(device, [noted], testContext())).message).toContain(
    `${repository} no longer exists`,
  );
});
