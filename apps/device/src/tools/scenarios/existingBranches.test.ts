import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { Refusal } from "../../testing/cloud";
import { startTestDevice, testContext } from "../../testing/deps";
import { branches, commit, git, makeRepository } from "../../testing/repository";
import { createWorkspaceTool } from "../createWorkspace";

type Requests = { name?: string; branchName?: string; existingBranch?: string; baseBranch?: string }[];

/** A repository that was added to a device, and its origin. */
async function setUp() {
  const device = await startTestDevice();
  const { id: projectId, path } = await device.addRepository("app");
  const origin = await makeRepository(join(device.directory, "origin"), { branch: "unrelated" });
  await git(["remote", "add", "origin", origin], { cwd: path });
  await git(["push", "--quiet", "origin", "main"], { cwd: path });
  await git(["fetch", "--quiet", "origin"], { cwd: path });
  const create = async (workspaces: Requests, context = testContext()) => {
    const params = deviceTools.create_workspace.params.parse({ projectId, workspaces });
    const result = await createWorkspaceTool(device).run(params, context);
    return deviceTools.create_workspace.result.parse(result).workspaces;
  };
  /** A branch with a commit of its own, only at origin. */
  const onOrigin = async (branch: string) => {
    await git(["checkout", "--quiet", "-b", branch, "main"], { cwd: origin });
    return commit(origin, `${branch.replaceAll("/", "-")}.txt`);
  };
  return { device, path, origin, create, onOrigin };
}

const headOf = async (cwd = "") => (await git(["rev-parse", "HEAD"], { cwd })).trim();
const nameOf = async (cwd = "") => (await git(["symbolic-ref", "--short", "HEAD"], { cwd })).trim();

it("a new branch is refused if origin has one of that name, fetched or not", async () => {
  const { path, create, onOrigin } = await setUp();
  await onOrigin("fetched");
  await git(["fetch", "--quiet", "origin"], { cwd: path });
  await onOrigin("feature/unheard-of");
  const made = await create([
    { branchName: "fetched" },
    { branchName: "feature/unheard-of" },
    // A branch whose name only ends with this one is a different branch.
    { branchName: "unheard-of" },
  ]);
  expect(made.map(({ error }) => error)).toEqual([
    {
      reason: "branch_exists",
      message:
        "The branch 'fetched' already exists as origin/fetched. Give it as existingBranch to work on it, or choose another branchName.",
    },
    { reason: "branch_exists", message: expect.stringContaining("as origin/feature/unheard-of") },
    undefined,
  ]);
  expect(await branches(path)).toEqual(["main", "unheard-of"]);
});

it("an origin that cannot be asked is reported", async () => {
  const { origin, create } = await setUp();
  await rm(origin, { recursive: true });
  const made = await create([
    { branchName: "mine" },
    { name: "made up" },
    { name: "based", baseBranch: "release" },
    { existingBranch: "theirs" },
  ]);
  const warning = "origin's branches could not be listed (git ls-remote: fatal: ";
  expect(made[0]?.warnings).toEqual([expect.stringContaining(warning)]);
  expect(made[0]?.warnings?.[0]).toMatch(/It may already have a branch 'mine'\.$/);
  expect(made[1]?.warnings).toBeUndefined();
  expect(made.map(({ error }) => error?.reason)).toEqual([
    undefined,
    undefined,
    "base_not_found",
    "branch_not_found",
  ]);
  for (const { error } of made.slice(2)) {
    expect(error?.message).toContain(warning);
    expect(error?.message).toContain("ry again when origin is reachable");
  }
});

it("a base that exists only at origin, and was never fetched, is fetched", async () => {
  const { path, create, onOrigin } = await setUp();
  const release = await onOrigin("release/2.0");
  const other = await onOrigin("other");
  // Two commands request the same branch at the same time.
  const both = await Promise.all([
    create([{ name: "one", baseBranch: "release/2.0" }]),
    create([{ name: "two", baseBranch: "release/2.0" }]),
  ]);
  const made = [
    ...both.flat(),
    ...(await create([
      { name: "three", baseBranch: "origin/other" },
      { name: "four", baseBranch: "nowhere" },
    ])),
  ];
  expect(made.map(({ baseBranch, error }) => baseBranch ?? error?.reason)).toEqual([
    "origin/release/2.0",
    "origin/release/2.0",
    "origin/other",
    "base_not_found",
  ]);
  expect(await headOf(made[0]?.path)).toBe(release);
  expect(await headOf(made[2]?.path)).toBe(other);
  expect(made[3]?.error?.message).toContain(`There is no branch 'nowhere' in ${path} or at its origin.`);
});

it("an existing branch is checked out, wherever it exists", async () => {
  const { path, create, onOrigin } = await setUp();
  const remote = await onOrigin("feature/remote");
  await git(["branch", "local", "main"], { cwd: path });
  const made = await create([
    { existingBranch: "feature/remote" },
    { name: "Mine", existingBranch: "local" },
  ]);
  expect(made).toMatchObject([
    { name: "feature/remote", branch: "feature/remote", baseBranch: "main", alreadyExisted: false },
    { name: "Mine", branch: "local", baseBranch: "main", alreadyExisted: false },
  ]);
  expect(made.map(({ error, warnings }) => error ?? warnings)).toEqual([undefined, undefined]);
  expect([await headOf(made[0]?.path), await nameOf(made[0]?.path)]).toEqual([remote, "feature/remote"]);
  expect(await nameOf(made[1]?.path)).toBe("local");
  // A push goes to the branch from which the workspace was made.
  const upstream = ["rev-parse", "--abbrev-ref", "feature/remote@{upstream}"];
  expect((await git(upstream, { cwd: path })).trim()).toBe("origin/feature/remote");
  // A repeated request returns the same workspace.
  expect((await create([{ existingBranch: "local" }]))[0]).toEqual({ ...made[1], alreadyExisted: true });
});

it("a branch that is behind origin is reported", async () => {
  const { path, create, onOrigin } = await setUp();
  await onOrigin("feature");
  await git(["fetch", "--quiet", "origin"], { cwd: path });
  await git(["branch", "--no-track", "feature", "main"], { cwd: path });
  expect((await create([{ existingBranch: "feature" }]))[0]).toMatchObject({
    warnings: ["'feature' lacks 1 commits of origin/feature: git pull brings them."],
  });
});

it("the error for a branch that cannot be checked out gives the reason and the next step", async () => {
  const { path, create } = await setUp();
  await git(["branch", "release/1.0"], { cwd: path });
  const made = await create([
    { existingBranch: "main" },
    { existingBranch: "relase/1.0" },
    { existingBranch: "release/1.0", branchName: "new" },
    { existingBranch: "release/1.0", baseBranch: "develop" },
    { existingBranch: "not..valid", baseBranch: "main" },
  ]);
  expect(made.map(({ error }) => error?.reason)).toEqual([
    "branch_checked_out",
    "branch_not_found",
    "invalid_input",
    "invalid_input",
    "invalid_branch",
  ]);
  expect(made[0]?.error?.message).toContain(`is checked out at ${path}`);
  expect(made[1]?.error?.message).toContain("Similar names: release/1.0");
  expect(made[2]?.error?.message).toContain("branchName are both given");
});

it("an existing branch keeps its commit when its workspace is undone", async () => {
  const { device, path, create } = await setUp();
  await git(["branch", "kept"], { cwd: path });
  device.test.faults["workspace.ensure"] = () => {
    throw new Refusal("CONFLICT", "workspace_id_taken");
  };
  expect((await create([{ existingBranch: "kept" }]))[0]?.error?.reason).toBe("workspace_id_taken");
  expect(await branches(path)).toEqual(["kept", "main"]);
  expect(await device.store.workspaces()).toEqual([]);
});

it("its setup script is the base's, not the branch's own", async () => {
  const { device, path, create } = await setUp();
  await writeFile(device.home.configFile, JSON.stringify({ allowRepositoryScripts: true }), { mode: 0o600 });
  const commitSetup = async (script: string) => {
    await mkdir(join(path, ".grove"), { recursive: true });
    await commit(path, join(".grove", "setup"), script);
  };
  await git(["checkout", "--quiet", "-b", "theirs"], { cwd: path });
  await commitSetup("touch theirs");
  await git(["checkout", "--quiet", "main"], { cwd: path });
  await commitSetup("touch ours");
  const [made] = await create([{ existingBranch: "theirs" }]);
  const has = (file: string) => isThere(join(made?.path ?? "", file));
  expect([await has("ours"), await has("theirs")]).toEqual([true, false]);
});

it("the same name from another base returns the existing workspace with a warning", async () => {
  const { path, create } = await setUp();
  await git(["branch", "release/1.0"], { cwd: path });
  await create([{ name: "A" }]);
  const again = await create([
    { name: "A", baseBranch: "release/1.0" },
    { name: "A", baseBranch: "main" },
  ]);
  expect(again.map(({ alreadyExisted, warnings }) => ({ alreadyExisted, warnings }))).toEqual([
    {
      alreadyExisted: true,
      warnings: [
        "\"A\" was created from 'main', not from 'release/1.0'. Use another name to create one from there.",
      ],
    },
    { alreadyExisted: true, warnings: undefined },
  ]);
});
