import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { git, makeRepository } from "../testing/repository";
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

it("the error for a path that is no repository says what it is and what to do", async () => {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, "file"), "");
  await mkdir(join(directory, "empty"));
  await git(["init", "--quiet", "--bare", "--", join(directory, "bare.git")]);
  const source = await makeRepository(join(directory, "source"));
  await git(["push", "--quiet", join(directory, "bare.git"), "main"], { cwd: source });
  await git(["worktree", "add", "--quiet", "--", join(directory, "of bare"), "main"], {
    cwd: join(directory, "bare.git"),
  });
  for (const [name, message] of [
    ["missing", "does not exist"],
    ["file", "is a file"],
    ["empty", "git init"],
    ["bare.git", "bare repository"],
    ["of bare", "bare repository"],
  ] as const)
    await expect(findMainWorktree(git, join(directory, name))).rejects.toMatchObject({
      reason: "not_a_repository",
      message: expect.stringContaining(message),
    });
});
