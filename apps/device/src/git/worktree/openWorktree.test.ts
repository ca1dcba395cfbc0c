import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { startTestDevice, testContext } from "../../testing/deps";
import { commit, git, makeRepository } from "../../testing/repository";
import { createWorkspaceTool } from "../../tools/createWorkspace";
import { deleteWorkspaceTool } from "../../tools/deleteWorkspace";
import { getWorkspaceDetailsTool } from "../../tools/getWorkspaceDetails";
import { readWorkspaces } from "../../tools/listWorkspaces";
import { readStatus } from "../status";
import { unsavedWork } from "../unsavedWork/unsaved";
import { EMPTY_INITIAL_STATE } from "./initialState";
import { openWorktree } from "./openWorktree";
import { submodulesOf } from "./submodules";
import { addWorktree } from "./worktree";

const LOCAL = ["-c", "protocol.file.allow=always"];

/** A repository that would run its author's programs: through its file system monitor and through a filter. */
async function makeTrap(path: string, ran: string): Promise<void> {
  await makeRepository(path);
  await commit(path, ".gitattributes", "* filter=trap\n");
  const script = `${ran}.sh`;
  await writeFile(script, `#!/bin/sh\ntouch '${ran}'\ncat\n`, { mode: 0o755 });
  await git(["config", "core.fsmonitor", script], { cwd: path });
  // A shell runs it, and the path has a space.
  await git(["config", "filter.trap.clean", `'${script}'`], { cwd: path });
  // The index no longer matches the files, so git runs the filter.
  await writeFile(join(path, "file-1.txt"), "other\n");
}

async function setUp() {
  const device = await startTestDevice();
  const { id: projectId } = await device.addRepository("app");
  const made = await createWorkspaceTool(device).run(
    { projectId, workspaces: [{ name: "otter" }] },
    testContext(),
  );
  const { id = "", path = "" } = made.workspaces[0] ?? {};
  return { device, id, path, ran: join(device.directory, "ran") };
}

it.each(["a directory", "a file that leads elsewhere", "a link", "a pipe"])(
  "git is not run in a worktree whose .git is %s",
  async (what) => {
    const { device, id, path, ran } = await setUp();
    const trap = join(path, "trap");
    await makeTrap(trap, ran);
    const dotGit = join(path, ".git");
    await rm(dotGit);
    if (what === "a directory") await rename(join(trap, ".git"), dotGit);
    if (what.startsWith("a file")) await writeFile(dotGit, `gitdir: ${join(trap, ".git")}\n`);
    if (what === "a link") await symlink(join(trap, ".git"), dotGit);
    if (what === "a pipe") await promisify(execFile)("mkfifo", [dotGit]);

    expect(await readWorkspaces(device, undefined, testContext())).toMatchObject([{ id, state: "broken" }]);
    await expect(
      getWorkspaceDetailsTool(device).run({ workspaceId: id }, testContext()),
    ).rejects.toMatchObject({
      reason: "worktree_unreadable",
    });
    const params = { workspaceIds: [id], force: false, deleteBranch: false };
    const { workspaces } = await deleteWorkspaceTool(device).run(params, testContext());
    expect(workspaces[0]).toMatchObject({
      worktreeRemoved: false,
      error: { reason: "worktree_unreadable", message: expect.stringContaining("With force") },
    });
    expect(await isThere(ran)).toBe(false);
  },
);

it("nor is it run in a worktree whose .git leads to another worktree of the repository", async () => {
  const { device, path } = await setUp();
  const repository = (await device.store.projects())[0]?.path ?? "";
  const other = { repository, path: join(device.directory, "other"), branch: "other", commit: "HEAD" };
  await addWorktree(git, other);
  await writeFile(join(path, ".git"), `gitdir: ${repository}/.git/worktrees/other\n`);
  await expect(openWorktree(git, repository, path)).rejects.toThrow("which is not this worktree's");
  // The form that git writes with worktree.useRelativePaths.
  const directory = join(repository, ".git", "worktrees", "other");
  await writeFile(join(other.path, ".git"), `gitdir: ${relative(other.path, directory)}\n`);
  expect(await readStatus(await openWorktree(git, repository, other.path))).toEqual([]);
});

/** A worktree with a submodule `lib` that is checked out. */
async function withSubmodule() {
  const directory = await temporaryDirectory();
  const library = await makeRepository(join(directory, "library"));
  const repository = await makeRepository(join(directory, "app"));
  await git([...LOCAL, "submodule", "--quiet", "add", "--", library, "lib"], { cwd: repository });
  await git(["commit", "--quiet", "--message", "lib"], { cwd: repository });
  const wanted = { repository, path: join(directory, "tree"), branch: "tree", commit: "HEAD" };
  await addWorktree(git, wanted);
  await git([...LOCAL, "submodule", "--quiet", "update", "--init"], { cwd: wanted.path });
  const open = () => openWorktree(git, repository, wanted.path);
  return { path: wanted.path, lib: join(wanted.path, "lib"), ran: join(directory, "ran"), open };
}

it("changes in a submodule count as changes, reported as git does", async () => {
  const { path, lib, open } = await withSubmodule();
  expect(await readStatus(await open())).toEqual([]);
  await writeFile(join(lib, "new"), "");
  expect(await readStatus(await open())).toEqual([{ status: " M", path: "lib" }]);
  expect(await git(["status", "--porcelain"], { cwd: path })).toBe(" M lib\n");
});

it.each(["a repository of its own", "a file that leads elsewhere"])(
  "git is not run in a submodule whose .git is %s, and its work counts as unsaved",
  async (what) => {
    const { lib, ran, open } = await withSubmodule();
    await rm(lib, { recursive: true });
    await makeTrap(lib, ran);
    if (what.startsWith("a file")) {
      await rename(join(lib, ".git"), join(lib, "trap"));
      await writeFile(join(lib, ".git"), "gitdir: trap\n");
    }
    const tree = await open();
    expect(await readStatus(tree)).toEqual([{ status: " M", path: "lib" }]);
    const lost = await unsavedWork(tree, { copiedFrom: null, bases: ["main"], initial: EMPTY_INITIAL_STATE });
    expect(lost.join("; ")).toContain("that git is not run in it, in the submodule lib");
    expect(await isThere(ran)).toBe(false);
  },
);

it("links that lead back, listed as submodules, are not followed forever", async () => {
  const { path, open } = await withSubmodule();
  const names = ["a", "b"];
  for (const name of names) await symlink(".", join(path, name));
  const entry = (name: string) => `[submodule "${name}"]\n\tpath = ${name}\n\turl = ./${name}\n`;
  await writeFile(join(path, ".gitmodules"), names.map(entry).join(""));
  const found = [];
  for await (const { path: submodule } of submodulesOf(await open())) found.push(submodule);
  expect(found).toEqual(["lib"]);
  expect(
    await unsavedWork(await open(), { copiedFrom: null, bases: ["main"], initial: EMPTY_INITIAL_STATE }),
  ).toHaveLength(1);
});

it("no submodule is entered twice, wherever its .git leads", async () => {
  const { lib, open } = await withSubmodule();
  const head = (await git(["rev-parse", "HEAD"], { cwd: lib })).trim();
  await git(["update-index", "--add", "--cacheinfo", `160000,${head},lib`], { cwd: lib });
  // A submodule within itself: its directory has the same repository.
  const { stdout } = await promisify(execFile)("cat", [join(lib, ".git")]);
  const gitDir = join(lib, stdout.replace("gitdir: ", "").trim());
  await mkdir(join(lib, "lib"));
  await writeFile(join(lib, "lib", ".git"), `gitdir: ${gitDir}\n`);
  const found = [];
  for await (const { path, tree } of submodulesOf(await open())) found.push([path, tree !== undefined]);
  expect(found).toEqual([
    ["lib", true],
    ["lib/lib", false],
  ]);
});

/** Where a program confined to its worktree may write in the repository, to make git read another configuration. */
const WAYS = [
  "commondir",
  "config.worktree",
  "config.worktree with an include",
  "a submodule's config",
  "a submodule's include",
  "a submodule's commondir",
  "a submodule's config.worktree",
] as const;

it.each(WAYS)("git runs no program that an agent names in %s", async (way) => {
  const { device, id, path, ran } = await setUp();
  const { gitDir, commonDir } = await openWorktree(git, await repositoryAt(device), path);
  const trap = join(path, "trap");
  await makeTrap(trap, ran);
  const evil = join(trap, ".git", "config");
  await commit(path, ".gitattributes", "* filter=trap\n");
  if (way === "commondir") await writeFile(join(gitDir, "commondir"), `${join(trap, ".git")}\n`);
  if (way.startsWith("config.worktree")) {
    await git(["config", "extensions.worktreeConfig", "true"], { cwd: await repositoryAt(device) });
    if (way === "config.worktree") await copyFile(evil, join(gitDir, "config.worktree"));
    else await writeFile(join(gitDir, "config.worktree"), `[include]\npath = ${evil}\n`);
  }
  if (way.startsWith("a submodule")) {
    const sub = join(gitDir, "modules", "sub");
    await git(["clone", "--quiet", "--", trap, join(path, "sub")]);
    await git(["add", "--", "sub"], { cwd: path });
    await mkdir(join(gitDir, "modules"));
    await rename(join(path, "sub", ".git"), sub);
    await writeFile(join(path, "sub", ".git"), `gitdir: ${sub}\n`);
    await git(["config", "core.worktree", join(path, "sub")], { cwd: sub });
    await writeFile(join(path, "sub", "file-1.txt"), "changed\n");
    if (way.endsWith("config")) await copyFile(evil, join(sub, "config"));
    if (way.endsWith("include")) await git(["config", "include.path", evil], { cwd: sub });
    if (way.endsWith("commondir")) await writeFile(join(sub, "commondir"), `${join(trap, ".git")}\n`);
    if (way.endsWith("config.worktree")) {
      await git(["config", "extensions.worktreeConfig", "true"], { cwd: sub });
      await copyFile(evil, join(sub, "config.worktree"));
    }
  }
  await writeFile(join(path, "file-1.txt"), "changed\n");
  await rm(ran, { force: true });
  await readWorkspaces(device, undefined, testContext());
  await getWorkspaceDetailsTool(device)
    .run({ workspaceId: id }, testContext())
    .catch(() => {});
  await deleteWorkspaceTool(device).run(
    { workspaceIds: [id], force: false, deleteBranch: false },
    testContext(),
  );
  expect(await isThere(ran)).toBe(false);
  expect(await isThere(commonDir)).toBe(true);
});

it("a sparse checkout, and a filter of the repository's own, remain in effect", async () => {
  const { device, path, ran } = await setUp();
  const repository = await repositoryAt(device);
  await git(["sparse-checkout", "set", "somewhere"], { cwd: path });
  expect(await readStatus(await openWorktree(git, repository, path))).toEqual([]);
  await writeFile(`${ran}.sh`, `#!/bin/sh\ntouch '${ran}'\ncat\n`, { mode: 0o755 });
  await git(["config", "filter.own.clean", `'${ran}.sh'`], { cwd: repository });
  await commit(path, ".gitattributes", "* filter=own\n");
  await rm(ran, { force: true });
  // The content has the same size, so that git has to compare it.
  const file = join(path, "file-1.txt");
  await writeFile(file, (await readFile(file, "utf8")).replace(/^./, "x"));
  await utimes(file, 1_700_000_000, 1_700_000_000);
  await readStatus(await openWorktree(git, repository, path));
  expect(await isThere(ran)).toBe(true);
});

async function repositoryAt(device: Awaited<ReturnType<typeof setUp>>["device"]): Promise<string> {
  const [project] = await device.store.projects();
  return project?.path ?? expect.fail();
}
