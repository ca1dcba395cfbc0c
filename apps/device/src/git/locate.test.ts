import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { git, makeRepository } from "../testing/repository";
import { make, remove, setUp } from "../testing/workspace";
import { findMainWorktree } from "./locate";

it("the main work tree is found from anywhere in the repository", async () => {
  const directory = await temporaryDirectory();
  const repository = await makeRepository(join(directory, "répo"));
  await mkdir(join(repository, "deep", "down"), { recursive: true });
  await symlink(repository, join(directory, "link"));
  await git(["worktree", "add", "--quiet", "-b", "x", "--", join(directory, "linked tree")], {
    cwd: repository,
  });
  for (const from of ["répo", "répo/deep/down", "répo/.git", "répo/.git/refs", "link", "linked tree"])
    expect(await findMainWorktree(git, join(directory, from))).toBe(repository);
});

it("a submodule is a repository of its own", async () => {
  const directory = await temporaryDirectory();
  const inner = await makeRepository(join(directory, "inner"));
  const outer = await makeRepository(join(directory, "outer"));
  await git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--", inner, "sub"], {
    cwd: outer,
  });
  expect(await findMainWorktree(git, join(outer, "sub"))).toBe(join(outer, "sub"));
});

it("the error for a path that is not a repository names its kind and the next step", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "file"), "");
  await mkdir(join(directory, "empty"));
  await git(["init", "--quiet", "--bare", "--", join(directory, "bare.git")]);
  for (const [name, message] of [
    ["missing", "does not exist"],
    ["file", "is a file"],
    ["empty", "git init"],
    ["bare.git", "bare repository without a worktree"],
  ] as const)
    await expect(findMainWorktree(git, join(directory, name))).rejects.toMatchObject({
      reason: "not_a_repository",
      message: expect.stringContaining(message),
    });
});

it.each([true, false])(
  "a bare repository is found by its worktrees (with a .git beside it: %s)",
  async (linked) => {
    const { device, projectId } = await setUp([]);
    const directory = join(device.directory, "around");
    const bare = join(directory, ".bare");
    const source = await makeRepository(join(device.directory, "source"));
    await git(["branch", "feature"], { cwd: source });
    await git(["clone", "--quiet", "--bare", "--", source, bare]);
    if (linked) await writeFile(join(directory, ".git"), "gitdir: ./.bare\n");
    for (const branch of ["feature", "main"])
      await git(["worktree", "add", "--quiet", "--", join(directory, branch), branch], { cwd: bare });
    const main = join(directory, "main");
    for (const from of [directory, bare, main]) expect(await findMainWorktree(git, from)).toBe(main);
    const feature = join(directory, "feature");
    expect(await findMainWorktree(git, feature)).toBe(feature);

    const project = (await device.store.project(projectId)) ?? expect.fail();
    await device.store.saveProject({ ...project, path: main });
    const one = await make(device, projectId, "one");
    await writeFile(join(one.path, "new file"), "");
    expect((await remove(device, [one.id]))[0]?.error?.reason).toBe("unsaved_work");
    const [removed] = await remove(device, [one.id], { force: true, deleteBranch: true });
    expect(removed).toMatchObject({ worktreeRemoved: true, branchDeleted: true });
  },
);
