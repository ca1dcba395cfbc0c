import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { isRunning } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { listWorktrees } from "../../git/worktree/worktree";
import { isThere } from "../../lib/fileSystem";
import { Refusal } from "../../testing/cloud";
import { startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { branches, git } from "../../testing/repository";
import { createWorkspaceTool } from "../createWorkspace";
import { deleteWorkspaceTool } from "../deleteWorkspace";

/** The result of a recovery that removed the only worktree. */
const removed = { message: expect.stringContaining("was incomplete"), created: [] };

/** Commits files to the repository, whatever directories they are in. */
async function commitFiles(repository: string, files: Record<string, string>): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(dirname(join(repository, file)), { recursive: true });
    await writeFile(join(repository, file), content);
  }
  await git(["add", "--", ...Object.keys(files)], { cwd: repository });
  await git(["commit", "--quiet", "--message", "files"], { cwd: repository });
}

async function setUp(files: Record<string, string>, config: object = { allowRepositoryScripts: true }) {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app");
  await commitFiles(path, files);
  await writeFile(device.home.configFile, JSON.stringify(config), { mode: 0o600 });
  const create = async (names: string[], context = testContext()) => {
    const workspaces = names.map((name) => ({ name }));
    const result = await createWorkspaceTool(device).run({ projectId: id, workspaces }, context);
    return deviceTools.create_workspace.result.parse(result).workspaces;
  };
  const remove = async (workspaceId: string, force = false) => {
    const params = deviceTools.delete_workspace.params.parse({ workspaceIds: [workspaceId], force });
    return (await deleteWorkspaceTool(device).run(params, testContext())).workspaces[0];
  };
  /** The output of the test's scripts, outside all worktrees. */
  const lines = async () =>
    (await readFile(join(device.directory, "said"), "utf8").catch(() => "")).trim().split("\n");
  return { device, repository: path, create, remove, lines };
}

/** A shell command that adds a line to `lines` of {@link setUp}. */
const say = (words: string) => `echo "${words}" >> "$GROVE_REPOSITORY_PATH/../said"`;

async function expectNothing(device: TestDevice, repository: string) {
  expect(await readdir(device.home.worktreesDir)).toEqual([]);
  expect(await branches(repository)).toEqual(["main"]);
  expect(await listWorktrees(git, repository)).toHaveLength(1);
  expect(await device.store.workspaces()).toEqual([]);
  expect(device.test.workspaces.size).toBe(0);
}

it("setup and teardown of the base branch run in the worktree, and get its name and path", async () => {
  const { device, repository, create, remove, lines } = await setUp({
    ".grove/setup": `#!/bin/sh -eu\necho installing; ${say("setup $PWD $GROVE_WORKSPACE_NAME $GROVE_BRANCH $GROVE_BASE_BRANCH")}; touch made`,
    ".grove/teardown": say("teardown $GROVE_WORKSPACE_ID $GROVE_WORKSPACE_PATH"),
  });
  const context = testContext();
  const [made] = await create(["One"], context);
  expect(made).not.toHaveProperty("warnings");
  expect(context.lines).toContain(".grove/setup: installing");
  expect(await isThere(join(made?.path ?? "", "made"))).toBe(true);
  // Scripts run as the base branch has them, without changes in the worktree.
  await writeFile(join(made?.path ?? "", ".grove", "teardown"), "exit 1\n");
  const id = made?.id ?? "";
  expect((await remove(id))?.error?.reason).toBe("unsaved_work");
  expect(await lines()).toHaveLength(1);
  expect(await remove(id, true)).toMatchObject({ worktreeRemoved: true, warnings: [] });
  expect(await lines()).toEqual([
    `setup ${made?.path} One grove/one main`,
    `teardown ${made?.id} ${made?.path}`,
  ]);
  expect(await listWorktrees(git, repository)).toHaveLength(1);
  expect(device.test.workspaces.size).toBe(0);
});

it("each workspace keeps ten ports of its own, and freed ones are reused", async () => {
  const { device, create, remove, lines } = await setUp({ ".grove/setup": say("$GROVE_PORT_BASE") });
  const [[one], [two]] = await Promise.all([create(["one"]), create(["two"])]);
  expect((await lines()).toSorted()).toEqual(["20000", "20010"]);
  const baseOf = async (id = "") => (await device.store.workspace(id))?.portBase;
  const [first, second] = [await baseOf(one?.id), await baseOf(two?.id)];
  expect([first, second].toSorted()).toEqual([20_000, 20_010]);
  await remove(one?.id ?? "", true);
  const [three] = await create(["three"]);
  expect(await baseOf(three?.id)).toBe(first);
  expect(await baseOf(two?.id)).toBe(second);
});

it("a script is stored in the home while it runs, and nowhere afterwards", async () => {
  const { device, create, lines } = await setUp({ ".grove/setup": say("$0") });
  await create(["one"]);
  const { scriptsDir } = device.home;
  expect((await lines())[0]?.startsWith(join(scriptsDir, `${process.pid}.`))).toBe(true);
  expect(await readdir(scriptsDir)).toEqual([]);
});

it("a device that does not allow scripts runs none, and explains how to allow them", async () => {
  const { device, create, remove, lines } = await setUp(
    { ".grove/setup": say("ran"), ".grove/teardown": say("ran") },
    {},
  );
  const [made] = await create(["one"]);
  expect(made?.warnings).toEqual([
    expect.stringContaining(`"allowRepositoryScripts": true in ${device.home.configFile}`),
  ]);
  const removed = await remove(made?.id ?? "");
  expect(removed).toMatchObject({
    worktreeRemoved: true,
    warnings: [expect.stringContaining(".grove/teardown")],
  });
  expect(await lines()).toEqual([""]);
});

it("a failing setup reports its last output and leaves nothing behind, its teardown included", async () => {
  const { device, repository, create, lines } = await setUp({
    ".grove/setup": "seq 100; echo no such package >&2; exit 7",
    ".grove/teardown": say("teardown"),
  });
  const [made] = await create(["one"]);
  expect(made).toMatchObject({ alreadyExisted: false, error: { reason: "setup_failed" } });
  expect(made?.error?.message).toContain("exit code 7");
  expect(made?.error?.message).toContain("no such package");
  expect(made?.error?.message.length).toBeLessThan(1_000);
  await expectNothing(device, repository);
  expect(await lines()).toEqual(["teardown"]);
});

it("an endless setup is ended with everything that it started", async () => {
  const { device, repository, create, lines } = await setUp(
    { ".grove/setup": `${say("$$")}; sleep 600 & ${say("$!")}; wait` },
    { allowRepositoryScripts: true, scriptTimeoutSeconds: 1 },
  );
  const [made] = await create(["one"]);
  expect(made?.error).toEqual({
    reason: "setup_failed",
    message: expect.stringContaining("did not end within 1 s"),
  });
  await expectNothing(device, repository);
  for (const pid of await lines()) await until(() => !isRunning(Number(pid)));
});

it("an abort in the middle of setup ends it and removes everything, even files that setups have made", async () => {
  const { device, repository, create, lines } = await setUp({
    ".grove/setup": `touch made; [ "$GROVE_WORKSPACE_NAME" = one ] || { ${say("$$")}; exec sleep 600; }`,
  });
  const abort = new AbortController();
  const running = create(["one", "two"], testContext(abort.signal));
  const failed = expect(running).rejects.toThrow("canceled");
  await until(async () => (await lines())[0] !== "");
  abort.abort(new Error("canceled"));
  await failed;
  await expectNothing(device, repository);
  for (const pid of await lines()) await until(() => !isRunning(Number(pid)));
});

it("a setup that a crash cut off is torn down, since its worktree is half-made", async () => {
  const { device, repository, create, lines } = await setUp({
    ".grove/setup": "touch made",
    ".grove/teardown": say("teardown"),
  });
  const context = testContext();
  await create(["one"], context);
  const cutOff = context.notes.filter((note) => !Object.hasOwn(note as object, "setUp"));
  expect(cutOff).toHaveLength(context.notes.length - 1);
  device.test.workspaces.clear();
  expect(await createWorkspaceTool(device).recover?.(cutOff, testContext())).toMatchObject(removed);
  await expectNothing(device, repository);
  expect(await lines()).toEqual(["teardown"]);
  // With the last note the workspace is complete.
  await create(["two"], context);
  expect(await createWorkspaceTool(device).recover?.(context.notes.slice(-3), testContext())).toMatchObject({
    message: expect.stringContaining('"two"'),
  });
  expect(await listWorktrees(git, repository)).toHaveLength(2);
});

it("a setup that has outlived the agent is ended before its worktree is removed", async () => {
  const { device, repository, create, lines } = await setUp({
    ".grove/setup": `[ "$GROVE_WORKSPACE_NAME" = one ] && { ${say("$$")}; exec sleep 600; }`,
  });
  const crashed = testContext();
  // As after the death of its agent, the setup runs and the test does not wait for it.
  const abandoned = create(["one"], crashed).catch(() => {});
  await until(async () => (await lines())[0] !== "");
  const notes = structuredClone(crashed.notes);
  expect(await createWorkspaceTool(device).recover?.(notes, testContext())).toMatchObject(removed);
  await until(async () => !isRunning(Number((await lines())[0])));
  await abandoned;
  await expectNothing(device, repository);
});

it("a failing teardown does not keep the workspace", async () => {
  const { create, remove } = await setUp({ ".grove/teardown": "echo no docker; exit 3" });
  const [made] = await create(["one"]);
  expect(await remove(made?.id ?? "")).toMatchObject({
    worktreeRemoved: true,
    warnings: [expect.stringMatching(/exit code 3[\s\S]*no docker/)],
  });
});

it("a workspace that the API refuses after its setup is torn down again", async () => {
  const { device, repository, create, lines } = await setUp({
    ".grove/setup": "touch made",
    ".grove/teardown": say("teardown"),
  });
  device.test.faults["workspace.ensure"] = () => {
    throw new Refusal("CONFLICT", "workspace_id_taken");
  };
  expect((await create(["one"]))[0]?.error?.reason).toBe("workspace_id_taken");
  await expectNothing(device, repository);
  expect(await lines()).toEqual(["teardown"]);
});

it("an unreadable configuration is reported before anything runs", async () => {
  const { device, repository, create } = await setUp(
    { ".grove/setup": "exit 0" },
    { allowRepositoryScripts: "yes" },
  );
  const [made] = await create(["one"]);
  expect(made?.error?.message).toContain("config.json");
  await expectNothing(device, repository);
});

it("untracked files that .worktreeinclude names are copied; tracked and other files are not", async () => {
  const { repository, create, remove } = await setUp({
    ".worktreeinclude": "# secrets\n.env*\n!.env.example\n/config/*.json\nfile-1.txt\n",
    ".gitignore": ".env.local\n",
  });
  const files = [
    ".env",
    ".env.local",
    ".env.example",
    "deep/dïr/.env",
    "config/a.json",
    "deep/config/b.json",
  ];
  for (const file of files) {
    await mkdir(dirname(join(repository, file)), { recursive: true });
    await writeFile(join(repository, file), `secret of ${file}`, { mode: 0o600 });
  }
  await writeFile(join(repository, "file-1.txt"), "changed, but tracked\n");
  const [made] = await create(["one"]);
  const path = made?.path ?? "";
  expect(made).not.toHaveProperty("warnings");
  for (const file of [".env", ".env.local", "deep/dïr/.env", "config/a.json"])
    expect(await readFile(join(path, file), "utf8")).toBe(`secret of ${file}`);
  for (const file of [".env.example", "deep/config/b.json"])
    expect(await isThere(join(path, file))).toBe(false);
  expect(await readFile(join(path, "file-1.txt"), "utf8")).toBe("file-1.txt\n");
  // A copy does not count as work until it is changed.
  await writeFile(join(path, ".env"), "changed");
  expect((await remove(made?.id ?? ""))?.error?.message).toContain("(.env");
});

it("copies of small untracked files do not keep a workspace", async () => {
  const { repository, create, remove } = await setUp({ ".worktreeinclude": ".env\n" });
  await writeFile(join(repository, ".env"), "secret");
  const [made] = await create(["one"]);
  expect(await isThere(join(made?.path ?? "", ".env"))).toBe(true);
  expect(await remove(made?.id ?? "")).toMatchObject({ worktreeRemoved: true });
});

it("links lead neither out of the repository nor out of the worktree, and Grove's own files stay", async () => {
  const { device, repository, create } = await setUp({
    ".worktreeinclude": "*.secret\nlinked/\n",
    "inside.txt": "",
  });
  const outside = join(device.directory, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "theirs.secret"), "theirs");
  await symlink(join(outside, "theirs.secret"), join(repository, "out.secret"));
  await symlink(outside, join(repository, "linked"));
  await writeFile(join(repository, "real.secret"), "real");
  await symlink("real.secret", join(repository, "in.secret"));
  // In a fresh checkout of the branch, `there` is a link; here it is a directory with an untracked file.
  await symlink(outside, join(repository, "there"));
  await git(["add", "there"], { cwd: repository });
  await git(["commit", "--quiet", "--message", "link"], { cwd: repository });
  await git(["checkout", "--quiet", "-b", "aside", "HEAD^"], { cwd: repository });
  await mkdir(join(repository, "there"));
  await writeFile(join(repository, "there", "mine.secret"), "mine");
  const home = join(repository, ".grove-home");
  await mkdir(home);
  await writeFile(join(home, "device.secret"), "key");

  const inside = { ...device, home: { ...device.home, root: home } };
  const projectId = [...device.test.projects.keys()][0] ?? "";
  const workspaces = [{ name: "one", baseBranch: "main" }];
  const [made] = (await createWorkspaceTool(inside).run({ projectId, workspaces }, testContext())).workspaces;
  expect(made?.error).toBeUndefined();
  const path = made?.path ?? "";
  expect((await readdir(path)).sort()).toEqual([
    ".git",
    ".worktreeinclude",
    "file-1.txt",
    "in.secret",
    "inside.txt",
    "real.secret",
    "there",
  ]);
  expect(await readFile(join(path, "in.secret"), "utf8")).toBe("real");
  expect((await readdir(outside)).sort()).toEqual(["theirs.secret"]);
  const [warning] = made?.warnings ?? [];
  expect(warning).toContain("out.secret: it is a symbolic link that points outside the repository");
  expect(warning).toContain("there/mine.secret: its directory in the worktree is not a plain directory");
  expect((await create(["two"]))[0]?.error).toBeUndefined();
});
