import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { createGit } from "../../git/run";
import { listWorktrees } from "../../git/worktree/worktree";
import { homeAt } from "../../home/home";
import { isThere } from "../../lib/fileSystem";
import { startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { branches, commit, git, gitEnv, makeRepository } from "../../testing/repository";
import { mountSmallDisk } from "../../testing/smallDisk";
import { gitOverSsh } from "../../testing/ssh";
import { createWorkspaceTool } from "../createWorkspace";
import { deleteWorkspaceTool } from "../deleteWorkspace";

type Request = { name?: string; branchName?: string; baseBranch?: string };

async function create(device: TestDevice, projectId: string, request: Request, context = testContext()) {
  const params = deviceTools.create_workspace.params.parse({ projectId, workspaces: [request] });
  const { workspaces } = await createWorkspaceTool(device).run(params, context);
  return workspaces[0] ?? expect.fail();
}

async function remove(
  device: TestDevice,
  id: string | undefined,
  options: { force?: boolean; deleteBranch?: boolean } = {},
) {
  const params = deviceTools.delete_workspace.params.parse({ workspaceIds: [id], ...options });
  return (await deleteWorkspaceTool(device).run(params, testContext())).workspaces[0] ?? expect.fail();
}

it("a detached HEAD in the main work tree is the base if there is neither main nor a default branch", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app", { branch: "other" });
  await git(["checkout", "--quiet", "--detach"], { cwd: path });
  const head = await commit(path, "detached.txt");
  const made = await create(device, id, {});
  expect(made).toMatchObject({ baseBranch: head });
  expect(await isThere(join(made.path ?? "", "detached.txt"))).toBe(true);
  expect(await remove(device, made.id)).toMatchObject({ worktreeRemoved: true, warnings: [] });
});

it("a branch that only the remote has can be a base, by its own name and by the remote's", async () => {
  const device = await startTestDevice();
  const upstream = await makeRepository(join(device.directory, "upstream"));
  await git(["checkout", "--quiet", "-b", "release/1.x ü".replace(" ", "-")], { cwd: upstream });
  await commit(upstream, "release.txt");
  const { id, path } = await device.addRepository("app");
  await git(["remote", "add", "origin", upstream], { cwd: path });
  await git(["fetch", "--quiet", "origin"], { cwd: path });
  for (const baseBranch of ["release/1.x-ü", "origin/release/1.x-ü"]) {
    const made = await create(device, id, { baseBranch, branchName: `fix/${baseBranch}` });
    expect(made).toMatchObject({ baseBranch: "origin/release/1.x-ü", branch: `fix/${baseBranch}` });
    expect(await isThere(join(made.path ?? "", "release.txt"))).toBe(true);
    expect(await remove(device, made.id, { deleteBranch: true })).toMatchObject({
      branchDeleted: true,
      warnings: [],
    });
  }
  expect(await branches(path)).toEqual(["main"]);
});

it("a repository with submodules", async () => {
  const device = await startTestDevice();
  const library = await makeRepository(join(device.directory, "lib räry"));
  const { id, path } = await device.addRepository("app");
  const local = ["-c", "protocol.file.allow=always"];
  await git([...local, "submodule", "--quiet", "add", "--", library, "libs/one"], { cwd: path });
  await git(["commit", "--quiet", "--message", "submodule"], { cwd: path });
  const made = await create(device, id, {});
  // As in any new worktree of git's, submodules are empty until they are checked out, for instance in .grove/setup.
  expect(await readdir(join(made.path ?? "", "libs", "one"))).toEqual([]);
  expect(await remove(device, made.id)).toMatchObject({ worktreeRemoved: true });
  expect(await isThere(join(path, "libs", "one", "file-1.txt"))).toBe(true);
});

it("a long clone shows its progress, and a cancel in the middle leaves nothing half-made", async () => {
  const { git: overSsh } = await gitOverSsh({ stallAfterBytes: 300_000 });
  const device = { ...(await startTestDevice()), git: overSsh };
  const origin = await makeRepository(join(device.directory, "origin"));
  for (let n = 0; n < 50; n++) await writeFile(join(origin, `blob-${n}`), randomBytes(20_000));
  await git(["add", "."], { cwd: origin });
  await git(["commit", "--quiet", "--message", "blobs"], { cwd: origin });
  const project = device.test.addProject({ repoUrl: `ssh://git@host.example${encodeURI(origin)}` });
  const abort = new AbortController();
  const context = testContext(abort.signal);
  const failed = expect(create(device, project.id, {}, context)).rejects.toThrow("canceled");
  await until(() => context.lines.some((line) => /^Receiving objects \d+%$/.test(line)));
  abort.abort(new Error("canceled"));
  await failed;
  expect(context.lines).not.toContain("Receiving objects 100%");
  expect(await readdir(device.home.reposDir)).toEqual([]);
  expect(await device.store.projects()).toEqual([]);
  // Asked again, the clone starts from the beginning.
  const { git: again } = await gitOverSsh();
  expect(await create({ ...device, git: again }, project.id, {})).toMatchObject({
    baseBranch: "origin/main",
  });
});

it("creating and deleting wait for a repository that another git has locked", async () => {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  /** The lock is held until git has run into it. */
  const heldUntilMet = async (lock: string, work: () => Promise<unknown>) => {
    await mkdir(join(path, ".git", "refs", "heads", "grove"), { recursive: true });
    const file = join(path, ".git", lock);
    await writeFile(file, "");
    const plain = device.git;
    let met = 0;
    device.git = (args, options) =>
      plain(args, options).catch(async (error) => {
        if (/\.lock': File exists/.test(error.stderr)) {
          met++;
          await rm(file, { force: true });
        }
        throw error;
      });
    try {
      await work();
    } finally {
      device.git = plain;
    }
    expect(met).toBeGreaterThan(0);
  };
  await heldUntilMet("refs/heads/grove/x.lock", async () => {
    expect((await create(device, id, { name: "x" })).error).toBeUndefined();
  });
  const made = (await device.store.workspaces())[0];
  await heldUntilMet("refs/heads/grove/x.lock", async () => {
    expect(await remove(device, made?.id, { deleteBranch: true })).toMatchObject({
      branchDeleted: true,
      warnings: [],
    });
  });
  // A commit in the main work tree locks its index, which does not affect other worktrees.
  await writeFile(join(path, ".git", "index.lock"), "");
  const other = await create(device, id, { name: "other" });
  expect(await remove(device, other.id)).toMatchObject({ worktreeRemoved: true });
});

/**
 * A git that cannot write files of more than 8 KiB. Where no small file system can be mounted, this limit simulates a
 * full disk. SIGXFSZ is ignored, so that writes fail as they do on a full disk.
 */
async function limitedGit(directory: string) {
  const bin = join(directory, "bin");
  await mkdir(bin);
  const script = `#!/bin/sh\ntrap '' XFSZ\nulimit -f 16\nPATH='${gitEnv.PATH}' exec git "$@"\n`;
  await writeFile(join(bin, "git"), script);
  await chmod(join(bin, "git"), 0o755);
  return createGit({ ...gitEnv, PATH: `${bin}:${gitEnv.PATH}` });
}

it("a full disk is reported, and leaves neither a half-made worktree nor a half-made clone", async () => {
  const { git: overSsh } = await gitOverSsh();
  const started = await startTestDevice();
  const path = await makeRepository(join(started.directory, "big"));
  await writeFile(join(path, "blob"), randomBytes(2 * 1024 * 1024));
  await git(["add", "blob"], { cwd: path });
  await git(["commit", "--quiet", "--message", "blob"], { cwd: path });
  const local = await started.addRepository("app");
  await git(["fetch", "--quiet", path, "main:big"], { cwd: local.path });
  const hosted = started.test.addProject({
    repoUrl: `ssh://git@host.example${encodeURI(path)}`,
    slug: "hosted",
  });

  const disk = join(started.directory, "disk");
  const mounted = await mountSmallDisk(disk, 1024 * 1024);
  for (const part of ["worktrees", "repos"]) await mkdir(join(disk, part));
  const { worktreesDir, reposDir } = homeAt(disk);
  const home = { ...started.home, worktreesDir, reposDir };
  const limited = await limitedGit(started.directory);
  const onLocal: TestDevice = { ...started, home, git: mounted ? started.git : limited };
  const made = await create(onLocal, local.id, { baseBranch: "big" });
  // A limit on file sizes does not show up in the disk's free space.
  expect(made.error).toMatchObject(
    mounted
      ? { reason: "disk_full", message: expect.stringContaining("it needs 2.0 MiB") }
      : { reason: "git_failed", message: expect.stringContaining("unable to write file") },
  );
  expect(await readdir(worktreesDir)).toEqual([]);
  expect(await branches(local.path)).toEqual(["big", "main"]);
  expect(await listWorktrees(git, local.path)).toHaveLength(1);
  expect(await started.store.workspaces()).toEqual([]);

  if (mounted) {
    const cloning = create({ ...onLocal, git: overSsh }, hosted.id, {});
    await expect(cloning).rejects.toMatchObject({ stderr: expect.stringMatching(/No space left on device/) });
    expect(await readdir(reposDir)).toEqual([]);
  }
});
