import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { fingerprint, workspaceWithRemote } from "../../testing/workspaceWithRemote";
import { listWorkspacesTool } from "../listWorkspaces";
import { listPointsTool } from "../points/listPoints";
import { runGateTool } from "./runGate";

/** A workspace of a repository whose base has these scripts, on a device that runs them. */
async function setUp(scripts: Record<string, string>) {
  const one = await workspaceWithRemote({ scripts });
  await one.allowScripts();
  const { device, id, path, repository } = one;
  const tool = runGateTool(device);
  const run = async (context = testContext()) =>
    deviceTools.run_gate.result.parse(await tool.run({ workspaceId: id }, context));
  const runOrReuse = async () =>
    deviceTools.run_gate.result.parse(await tool.run({ workspaceId: id, reuseResult: true }, testContext()));
  /** Whether no check has left anything behind. */
  const isClean = async () => {
    const worktrees = (await git(["worktree", "list", "--porcelain"], { cwd: repository })).match(
      /^worktree /gm,
    );
    const { gatesDir, scriptsDir, worktreesDir } = device.home;
    const trash = (await readdir(worktreesDir)).filter((name) => name.startsWith("."));
    const left = [...(await readdir(gatesDir).catch(() => [])), ...(await readdir(scriptsDir)), ...trash];
    return worktrees?.length === 2 && left.length === 0;
  };
  const points = async () => (await listPointsTool(device).run({ workspaceId: id }, testContext())).points;
  const tree = (name = "HEAD") => one.revision(`${name}^{tree}`);
  const unchanged = async () =>
    [
      await fingerprint(path),
      await git(["stash", "list"], { cwd: path }),
      await readFile(join(repository, ".git", "config"), "utf8"),
    ].join();
  return { ...one, run, runOrReuse, isClean, points, tree, unchanged };
}

it("runs the base's check on the last commit, in a worktree of its own, and removes that", async () => {
  const { run, isClean, points, tree, unchanged, path, head, device, id, branch } = await setUp({
    check:
      'echo "$GROVE_WORKSPACE_ID $GROVE_BRANCH $GROVE_PORT_BASE"; pwd; git status --short --branch; cat file-1.txt',
  });
  await commit(path, "file-1.txt", "work\n");
  const before = await unchanged();
  const context = testContext();
  const result = await run(context);
  const commitId = await head();
  expect(result).toMatchObject({ outcome: "passed", exitCode: 0, timedOut: false });
  expect(result).toMatchObject({ commit: commitId, head: commitId, tree: await tree() });
  const portBase = (await device.store.workspace(id))?.portBase;
  const [environment, directory, ...rest] = result.output.split("\n");
  expect(environment).toBe(`${id} ${branch} ${portBase}`);
  expect(directory?.startsWith(`${device.home.gatesDir}/`)).toBe(true);
  expect(rest).toEqual(["## HEAD (no branch)", "work", ""]);
  expect(context.lines).toContain(".grove/check: work");
  expect(await unchanged()).toBe(before);
  expect(await isClean()).toBe(true);
  expect(await points()).toMatchObject([{ kind: "fork" }]);
});

it("reports a gate that fails, with the end of its output and marks for hidden characters", async () => {
  const { run, isClean } = await setUp({ check: "seq 5000; printf 'a\\342\\200\\256b\\n' >&2; exit 3" });
  const { output, ...result } = await run();
  expect(result).toMatchObject({ outcome: "failed", exitCode: 3, timedOut: false });
  expect(output).toContain("a⟨RLO⟩b\n");
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(6 * 1024);
  expect(await isClean()).toBe(true);
});

it("runs the base's check, even if the worktree has another one", async () => {
  const { run, path, repository } = await setUp({ check: "exit 1" });
  await commit(path, ".grove/check", "exit 0");
  expect((await run()).outcome).toBe("failed");
  await writeFile(join(path, ".grove/check"), "exit 0\n# edited\n");
  expect((await run()).outcome).toBe("failed");
  // The base's newest one counts.
  await commit(repository, ".grove/check", "echo newer");
  expect(await run()).toMatchObject({ outcome: "passed", output: "newer\n" });
});

it("checks uncommitted work, as a restore point holds it, and makes no workspace", async () => {
  const { run, isClean, points, unchanged, write, path, device, id, revision } = await setUp({
    check: "cat new.txt file-1.txt; test ! -e debug.log",
  });
  await write(".gitignore", "*.log\n");
  await write("debug.log", "ignored\n");
  await write("new.txt", "new\n");
  await write("file-1.txt", "staged\n");
  await git(["add", "file-1.txt"], { cwd: path });
  const before = await unchanged();
  const result = await run();
  expect(result).toMatchObject({ outcome: "passed", output: "new\nstaged\n", head: null });
  expect(await unchanged()).toBe(before);
  const [point] = await points();
  expect(result.commit).toBe(point?.point);
  expect(result.tree).toBe(await revision(`${point?.point}^{tree}`));
  expect(await isClean()).toBe(true);
  const { workspaces } = await listWorkspacesTool(device).run({}, testContext());
  expect(workspaces.map((one) => one.id)).toEqual([id]);
});

it("prepares its worktree as a new workspace's: included files, then the base's setup", async () => {
  const { run, repository, isClean, path } = await setUp({
    setup: "cp secret.env copied.env",
    check: "cat copied.env",
  });
  await writeFile(join(repository, "secret.env"), "TOKEN=1\n");
  await writeFile(join(repository, ".worktreeinclude"), "secret.env\n");
  expect(await run()).toMatchObject({ outcome: "passed", output: "TOKEN=1\n" });
  expect(await isThere(join(path, "copied.env"))).toBe(false);
  await commit(repository, ".grove/setup", "echo no dependencies; exit 5");
  expect(await run()).toMatchObject({
    outcome: "failed",
    exitCode: 5,
    output: "no dependencies\n.grove/setup failed, so the check script did not run.\n",
  });
  expect(await isClean()).toBe(true);
});

it("runs nothing without a check, or if the owner does not allow scripts", async () => {
  const { run, device, write, points } = await setUp({ setup: "true" });
  await write("new.txt", "new\n");
  const nothing = { exitCode: null, timedOut: false, commit: null, tree: null, head: null };
  expect(await run()).toEqual({ ...nothing, outcome: "none", output: "" });
  const other = await setUp({ check: "exit 1" });
  await rm(other.device.home.configFile);
  const refused = await other.run();
  expect(refused).toMatchObject({ ...nothing, outcome: "not_allowed" });
  expect(refused.output).toContain('"allowRepositoryScripts": true');
  expect(await points()).toMatchObject([{ kind: "fork" }]);
  expect(await isThere(device.home.gatesDir)).toBe(false);
});

it("runs once for the same files and scripts unless it is asked to run again", async () => {
  const { run, runOrReuse, path, repository, write, head } = await setUp({
    check: `echo run >> "$GROVE_REPOSITORY_PATH/runs"; wc -l < "$GROVE_REPOSITORY_PATH/runs"; exit 1`,
  });
  const runs = async () => (await readFile(join(repository, "runs"), "utf8")).split("\n").length - 1;
  await write("new.txt", "new\n");
  const [first, second] = await Promise.all([runOrReuse(), runOrReuse()]);
  expect(first).toMatchObject({ outcome: "failed", output: "1\n", head: null });
  expect(second).toEqual(first);
  expect(await runs()).toBe(1);
  // The same files, as a commit.
  await commit(path, "new.txt", "new\n");
  expect(await runOrReuse()).toMatchObject({ output: "1\n", head: await head(), tree: first.tree });
  await run();
  expect(await runs()).toBe(2);
  await commit(path, "new.txt", "newer\n");
  await runOrReuse();
  expect(await runs()).toBe(3);
  await commit(repository, ".grove/check", "echo another");
  expect(await runOrReuse()).toMatchObject({ outcome: "passed", output: "another\n" });
});

it("fails a gate that takes too long", async () => {
  const { run, allowScripts, isClean } = await setUp({ check: "echo begun; exec sleep 600" });
  await allowScripts(1);
  expect(await run()).toMatchObject({ outcome: "failed", exitCode: null, timedOut: true, output: "begun\n" });
  expect(await isClean()).toBe(true);
});

it("ends a canceled check, and leaves nothing behind", async () => {
  const { run, isClean } = await setUp({ check: "echo begun; exec sleep 600" });
  const abort = new AbortController();
  const context = testContext(abort.signal);
  const failed = expect(run(context)).rejects.toThrow("canceled");
  await until(() => context.lines.includes(".grove/check: begun"));
  abort.abort(new Error("canceled"));
  await failed;
  expect(await isClean()).toBe(true);
});

it("after a crash, recover ends the gate and removes its worktree, also a half-made one", async () => {
  const { run, isClean, device, repository } = await setUp({ check: "echo begun; exec sleep 600" });
  const abort = new AbortController();
  const context = testContext(abort.signal);
  const running = expect(run(context)).resolves.toMatchObject({ outcome: "failed" });
  await until(() => context.lines.includes(".grove/check: begun"));
  const recover = () => runGateTool(device).recover?.(context.notes, context);
  expect(await recover()).toBe("The check script did not end. Its worktree has been removed.");
  await running;
  expect(await isClean()).toBe(true);
  // As a crash leaves it while git makes it: a directory that git has locked.
  const [path = ""] = JSON.stringify(context.notes).match(/[^"]*\/gates\/[^"]*/) ?? [];
  await mkdir(join(path, ".."), { recursive: true });
  await git(["worktree", "add", "--quiet", "--detach", "--lock", "--reason", "initializing", path], {
    cwd: repository,
  });
  expect((await stat(path)).isDirectory()).toBe(true);
  await recover();
  expect(await isClean()).toBe(true);
});
