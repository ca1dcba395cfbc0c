import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { commit, git, makeRepository } from "../testing/repository";
import {
  type BaseRequest,
  branchInTheWay,
  checkBranchName,
  defaultBranchOf,
  findBase,
  readRefs,
  remoteBranch,
} from "./refs";

const base = async (repository: string, request: Partial<BaseRequest> = {}) =>
  findBase(git, repository, await readRefs(git, repository), {
    wanted: undefined,
    defaultBranch: "main",
    remoteFirst: false,
    ...request,
  });

const repositoryWith = async (branch = "main", commits = 1) =>
  makeRepository(join(await temporaryDirectory(), "some répo"), { branch, commits });

it("main is the default base, even if another branch is checked out", async () => {
  const repository = await repositoryWith();
  await git(["switch", "--quiet", "--create", "other"], { cwd: repository });
  await commit(repository, "other.txt");
  expect((await base(repository)).name).toBe("main");
});

it("without main it is the project's default branch, then the branch that is checked out", async () => {
  const repository = await repositoryWith("trunk");
  await git(["branch", "develop"], { cwd: repository });
  expect((await base(repository, { defaultBranch: "develop" })).name).toBe("develop");
  expect((await base(repository, { defaultBranch: "gone" })).name).toBe("trunk");
  await git(["checkout", "--quiet", "--detach"], { cwd: repository });
  const detached = await base(repository);
  expect(detached.name).toBe(detached.commit);
});

it("a base that only the remote has works, with or without its origin/", async () => {
  const origin = await repositoryWith();
  await git(["branch", "feature/päge"], { cwd: origin });
  const clone = join(await temporaryDirectory(), "clone");
  await git(["clone", "--quiet", "--", origin, clone]);
  expect((await base(clone, { wanted: "feature/päge" })).name).toBe("origin/feature/päge");
  expect((await base(clone, { wanted: "origin/feature/päge" })).name).toBe("origin/feature/päge");
});

it("in the agent's own clone the remote's branch takes precedence over the local one", async () => {
  const origin = await repositoryWith();
  const clone = join(await temporaryDirectory(), "clone");
  await git(["clone", "--quiet", "--", origin, clone]);
  const newer = await commit(origin, "newer.txt");
  await git(["fetch", "--quiet"], { cwd: clone });
  expect(await base(clone, { remoteFirst: true })).toEqual({ name: "origin/main", commit: newer });
  expect((await base(clone)).name).toBe("main");
});

it("an unknown base is refused with near names", async () => {
  const repository = await repositoryWith();
  for (const branch of ["feature/login", "release-1", "zzz"])
    await git(["branch", branch], { cwd: repository });
  await expect(base(repository, { wanted: "feature/logn" })).rejects.toMatchObject({
    reason: "base_not_found",
    message: expect.stringContaining("Similar names: feature/login"),
  });
});

it("a repository without commits is an error of its own, with or without a requested base", async () => {
  const repository = await repositoryWith("main", 0);
  await expect(base(repository)).rejects.toMatchObject({ reason: "no_commits" });
  await expect(base(repository, { wanted: "main" })).rejects.toMatchObject({ reason: "no_commits" });
});

it.each(["main", "feature/login", "grove/修复", "a.b", "v1.0-rc"])("%j is a branch name", async (branch) => {
  await checkBranchName(git, branch);
});

it.each([
  "",
  "a..b",
  "a b",
  "-x",
  "--force",
  "HEAD",
  "a~1",
  "a^",
  "a:b",
  "x.lock",
  "/a",
  "a/",
  "@{-1}",
  "@",
  "a\\b",
])("%j is not a branch name", async (branch) => {
  await expect(checkBranchName(git, branch)).rejects.toMatchObject({ reason: "invalid_branch" });
});

it("git cannot have both a and a/b", async () => {
  const refs = new Map([
    ["refs/heads/a", "1"],
    ["refs/heads/x/y", "1"],
    ["refs/remotes/origin/z", "1"],
  ]);
  expect(branchInTheWay(refs, "a")).toBe("a");
  expect(branchInTheWay(refs, "a/b/c")).toBe("a");
  expect(branchInTheWay(refs, "x")).toBe("x/y");
  expect(branchInTheWay(refs, "ab")).toBeUndefined();
  expect(branchInTheWay(refs, "z")).toBeUndefined();
});

it("a remote's branch is found by its whole name, origin's first", async () => {
  const remote = (...names: string[]) => new Map(names.map((name) => [`refs/remotes/${name}`, "1"]));
  expect(remoteBranch(remote("upstream/z", "origin/z"), "z")).toBe("origin/z");
  expect(remoteBranch(remote("upstream/z"), "z")).toBe("upstream/z");
  expect(remoteBranch(remote("origin/feature/z", "origin/HEAD"), "z")).toBeUndefined();
  expect(remoteBranch(remote("origin/HEAD"), "HEAD")).toBeUndefined();
  expect(remoteBranch(new Map([["refs/heads/z", "1"]]), "z")).toBeUndefined();
});

it("the default branch is read from the repository", async () => {
  const origin = await repositoryWith("trunk");
  expect(await defaultBranchOf(git, origin)).toBe("trunk");
  const clone = join(await temporaryDirectory(), "clone");
  await git(["clone", "--quiet", "--", origin, clone]);
  await git(["switch", "--quiet", "--create", "mine"], { cwd: clone });
  expect(await defaultBranchOf(git, clone)).toBe("trunk");
  await git(["branch", "master"], { cwd: origin });
  expect(await defaultBranchOf(git, origin)).toBe("master");
  expect(await defaultBranchOf(git, await repositoryWith("unborn", 0))).toBe("unborn");
});
