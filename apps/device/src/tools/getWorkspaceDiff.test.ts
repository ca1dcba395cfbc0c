import { execFileSync } from "node:child_process";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DeviceToolParams, deviceTools, type WorkspaceDiff, type WorkspaceMade } from "@grove/schemas";
import { expect, it } from "vitest";
import { startTestDevice, type TestDevice, testContext } from "../testing/deps";
import { commit, git, gitEnv, makeRepository } from "../testing/repository";
import { createWorkspaceTool } from "./createWorkspace";
import { getWorkspaceDetailsTool } from "./getWorkspaceDetails";
import { getWorkspaceDiffTool } from "./getWorkspaceDiff";
import { makePointTool } from "./points/makePoint";

interface Bench {
  device: TestDevice;
  id: string;
  /** The worktree. */
  path: string;
  /** The main work tree. */
  repository: string;
}

async function setUp(prepare: (repository: string) => Promise<unknown> = async () => {}): Promise<Bench> {
  const device = await startTestDevice();
  const { id: projectId, path: repository } = await device.addRepository("app");
  await prepare(repository);
  const { workspaces } = await createWorkspaceTool(device).run(
    { projectId, workspaces: [{ name: "one" }] },
    testContext(),
  );
  const { id, path } = workspaces[0] as Required<WorkspaceMade>;
  return { device, id, path, repository };
}

type Asked = Partial<DeviceToolParams<"get_workspace_diff">>;

async function diff({ device, id }: Bench, asked: Asked = {}): Promise<WorkspaceDiff> {
  const { params, result } = deviceTools.get_workspace_diff;
  const given = params.parse({ workspaceId: id, ...asked });
  const answer = await getWorkspaceDiffTool(device).run(given, testContext());
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(given.maxBytes);
  return result.parse(answer);
}

const lines = (count: number, word = "line") =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");
const add = async ({ path }: Bench, message: string) => {
  await git(["add", "--all"], { cwd: path });
  await git(["commit", "--quiet", "--message", message], { cwd: path });
};
const file = ({ files }: WorkspaceDiff, path: string) =>
  files.find((each) => each.path === path) ?? expect.fail(`${path} is not among the files`);

it("shows nothing for a worktree without changes", async () => {
  const bench = await setUp();
  const head = (await git(["rev-parse", "HEAD"], { cwd: bench.path })).trim();
  expect(await diff(bench)).toEqual({
    base: "main",
    from: head,
    head,
    files: [],
    filesTotal: 0,
    insertions: 0,
    deletions: 0,
    untracked: 0,
    truncated: false,
  });
});

it("shows committed, staged, unstaged and untracked work against the base, and the rest against head", async () => {
  const bench = await setUp(async (repository) => {
    for (const name of ["staged", "unstaged", "gone"]) await commit(repository, name, "a\nb\nc\n");
  });
  await commit(bench.path, "committed", "one\n");
  await commit(bench.repository, "later on main");
  await writeFile(join(bench.path, "staged"), "a\nB\nc\n");
  await git(["add", "staged"], { cwd: bench.path });
  await writeFile(join(bench.path, "unstaged"), "a\nb\n");
  await rm(join(bench.path, "gone"));
  await writeFile(join(bench.path, "untracked"), "new\n");
  const answer = await diff(bench);
  expect(answer).toMatchObject({
    filesTotal: 5,
    insertions: 3,
    deletions: 5,
    untracked: 1,
    truncated: false,
  });
  expect(answer.files.map(({ path, status }) => [path, status])).toEqual([
    ["committed", "added"],
    ["gone", "deleted"],
    ["staged", "modified"],
    ["unstaged", "modified"],
    ["untracked", "untracked"],
  ]);
  expect(file(answer, "staged").patch).toContain("@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  expect(file(answer, "untracked").patch).toContain("--- /dev/null\n+++ b/untracked\n@@ -0,0 +1 @@\n+new\n");
  expect(file(answer, "gone").blob).toBeNull();
  const blob = (await git(["hash-object", "unstaged"], { cwd: bench.path })).trim();
  expect(file(answer, "unstaged").blob).toBe(blob);

  const sinceHead = await diff(bench, { against: "head" });
  expect(sinceHead.from).toBe(sinceHead.head);
  expect(sinceHead.files.map(({ path }) => path)).toEqual(["gone", "staged", "unstaged", "untracked"]);
  // Git's own index is as it was.
  expect(await git(["status", "--porcelain"], { cwd: bench.path })).toBe(
    " D gone\nM  staged\n M unstaged\n?? untracked\n",
  );
});

it("finds renames, also of files that git does not know yet", async () => {
  const bench = await setUp(async (repository) => {
    await commit(repository, "plain", lines(30));
    await commit(repository, "moved", lines(30, "word"));
  });
  await git(["mv", "plain", "renamed"], { cwd: bench.path });
  await mkdir(join(bench.path, "deep"));
  await rename(join(bench.path, "moved"), join(bench.path, "deep/there"));
  await writeFile(join(bench.path, "deep/there"), `${lines(30, "word")}and more\n`);
  const answer = await diff(bench);
  expect(answer.files).toMatchObject([
    { path: "deep/there", oldPath: "moved", status: "renamed", insertions: 1, deletions: 0 },
    { path: "renamed", oldPath: "plain", status: "renamed", insertions: 0, deletions: 0 },
  ]);
  expect(file(answer, "renamed").patch).toMatch(/rename from plain\nrename to renamed\n$/);
  const one = await diff(bench, { paths: ["deep"] });
  expect(one.files.map(({ patch }) => patch)).toEqual([file(answer, "deep/there").patch]);
  // The details count the same files and lines.
  const details = await getWorkspaceDetailsTool(bench.device).run({ workspaceId: bench.id }, testContext());
  const { filesTotal: filesChanged, insertions, deletions } = answer;
  expect(details.diff).toEqual({ base: "main", filesChanged, insertions, deletions });
});

it("distinguishes binary files, modes, links and files that became links", async () => {
  const bench = await setUp(async (repository) => {
    await commit(repository, "picture", "\0\u0001\u0002");
    await commit(repository, "script", "true\n");
    await commit(repository, "link-to-be", "text\n");
  });
  await writeFile(join(bench.path, "picture"), "\0\u0003");
  await chmod(join(bench.path, "script"), 0o755);
  await rm(join(bench.path, "link-to-be"));
  await symlink("/etc/passwd", join(bench.path, "link-to-be"));
  await symlink("/etc/passwd", join(bench.path, "new-link"));
  const answer = await diff(bench);
  expect(file(answer, "picture")).toMatchObject({ binary: true, patch: null, omitted: null });
  const script = file(answer, "script");
  expect(script).toMatchObject({ oldMode: "100644", mode: "100755", insertions: 0 });
  expect(script.patch).toMatch(/old mode 100644\nnew mode 100755\n$/);
  expect(file(answer, "link-to-be").status).toBe("retyped");
  expect(file(answer, "link-to-be").patch).toMatch(/-text[\s\S]*\+\/etc\/passwd\n\\ No newline/);
  expect(file(answer, "new-link")).toMatchObject({ mode: "120000", status: "untracked" });
  expect(file(answer, "new-link").patch).toContain("+/etc/passwd\n");
});

it("names files that are too large, tracked or not, and does not read them", async () => {
  const huge = lines(200_000);
  const bench = await setUp((repository) => commit(repository, "tracked.log", huge));
  await writeFile(join(bench.path, "tracked.log"), "short\n");
  await writeFile(join(bench.path, "new.log"), huge);
  await writeFile(join(bench.path, "long.txt"), lines(80_000, "xy"));
  const answer = await diff(bench);
  // Omitted files are sorted with the others.
  expect(answer.files.map(({ path }) => path)).toEqual(["long.txt", "new.log", "tracked.log"]);
  expect(file(answer, "tracked.log")).toMatchObject({ omitted: "too_large", patch: null, binary: false });
  expect(file(answer, "new.log")).toMatchObject({ omitted: "too_large", status: "untracked", patch: null });
  expect(file(answer, "long.txt")).toMatchObject({ omitted: "too_large", insertions: 80_000 });
  expect(answer.truncated).toBe(false);
});

it("fills a result up to maxBytes, and returns the rest by path", async () => {
  const bench = await setUp();
  const names = Array.from({ length: 12 }, (_, at) => `file-${String(at).padStart(2, "0")}`);
  for (const name of names) await writeFile(join(bench.path, name), lines(300, name));
  const answer = await diff(bench, { maxBytes: 20_000 });
  expect(answer).toMatchObject({ filesTotal: 12, insertions: 3_600, truncated: true });
  expect(answer.files).toHaveLength(12);
  const rest = answer.files.filter(({ omitted }) => omitted === "no_room").map(({ path }) => path);
  expect(rest.length).toBeGreaterThan(5);
  const more = await diff(bench, { paths: rest });
  expect(more.files.map(({ path, omitted }) => [path, omitted])).toEqual(rest.map((path) => [path, null]));
  const summary = await diff(bench, { summary: true });
  expect(summary.files.every(({ patch, omitted }) => patch === null && omitted === null)).toBe(true);
  expect(summary.truncated).toBe(false);
});

it("counts the untracked files that it does not list", async () => {
  const bench = await setUp();
  await mkdir(join(bench.path, "many"));
  for (let at = 0; at < 2_005; at++) await writeFile(join(bench.path, "many", String(at)), "");
  const answer = await diff(bench, { summary: true });
  expect(answer).toMatchObject({ filesTotal: 2_005, untracked: 2_005, truncated: true });
  expect(answer.files).toHaveLength(2_000);
});

it("shows names with any bytes, and accepts them as it shows them", async () => {
  const bench = await setUp();
  const odd = ["new\nline", 'quo"te', "back\\slash", "tab\there", "ünï", " space", "-dash", ":(top)x", "a*b"];
  for (const name of odd) await writeFile(join(bench.path, name), `in ${name}\n`);
  execFileSync("sh", ["-c", "printf 'in latin-1\\n' > \"$(printf 'caf\\351')\""], { cwd: bench.path });
  const answer = await diff(bench);
  expect(answer.files.map(({ path }) => path).sort()).toEqual([...odd, '"caf\\351"'].sort());
  for (const { path, patch } of answer.files) {
    expect(patch).toContain("\n+in ");
    expect((await diff(bench, { paths: [path] })).files).toMatchObject([{ path, patch }]);
  }
});

it("never leaves the worktree by a path, and follows no link", async () => {
  const bench = await setUp();
  await writeFile(join(bench.device.directory, "secret"), "secret\n");
  await symlink(bench.device.directory, join(bench.path, "way-out"));
  const { params } = deviceTools.get_workspace_diff;
  for (const path of ["../secret", "/etc/passwd", "a/../../secret", "..", "./x"])
    expect(params.safeParse({ workspaceId: bench.id, paths: [path] }).success).toBe(false);
  const answer = await diff(bench, { paths: ["way-out/secret", "way-out"] });
  expect(answer.files.map(({ path }) => path)).toEqual(["way-out"]);
  expect(JSON.stringify(answer)).not.toContain("+secret");
});

it("runs no program that the configuration or attributes of a repository name", async () => {
  const bench = await setUp(async (repository) => {
    await commit(repository, ".gitattributes", "* diff=evil\n");
    await commit(repository, "text", "one\n");
    for (const key of ["diff.external", "diff.evil.command", "diff.evil.textconv"])
      await git(["config", key, `sh -c 'touch ${join(repository, "ran")}'`], { cwd: repository });
    await git(["config", "diff.noprefix", "true"], { cwd: repository });
    await git(["config", "color.diff", "always"], { cwd: repository });
  });
  await writeFile(join(bench.path, "text"), "two\n");
  const answer = await diff(bench);
  expect(file(answer, "text").patch).toContain("--- a/text\n+++ b/text\n@@ -1 +1 @@\n-one\n+two\n");
  expect(await git(["status", "--porcelain"], { cwd: bench.repository })).toBe("");
});

it("shows conflicts as the file has them, and ignores space on request", async () => {
  const bench = await setUp((repository) => commit(repository, "both", "start\n"));
  await commit(bench.path, "both", "mine\n");
  await commit(bench.repository, "both", "theirs\n");
  await git(["merge", "main"], { cwd: bench.path }).catch(() => {});
  await commit(bench.repository, "another", "x\n");
  const answer = await diff(bench, { against: "head" });
  expect(answer.files).toMatchObject([{ path: "both", status: "unmerged" }]);
  expect(file(answer, "both").patch).toContain("+>>>>>>> main\n");
  await git(["merge", "--abort"], { cwd: bench.path });
  await writeFile(join(bench.path, "both"), "  mine\n");
  const loose = await diff(bench, { against: "head", ignoreWhitespace: true });
  expect(file(loose, "both")).toMatchObject({ insertions: 0, deletions: 0, patch: "" });
});

it("shows new commits of submodules, and reports changes inside", async () => {
  const bench = await setUp(async (repository) => {
    const library = await makeRepository(join(repository, "..", "library"));
    await git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "--", library, "lib"], {
      cwd: repository,
    });
    await git(["commit", "--quiet", "--message", "submodule"], { cwd: repository });
  });
  await git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"], {
    cwd: bench.path,
  });
  const inside = join(bench.path, "lib", "file-1.txt");
  await writeFile(inside, "changed\n");
  expect((await diff(bench)).files).toMatchObject([{ path: "lib", mode: "160000", omitted: "submodule" }]);
  await commit(join(bench.path, "lib"), "file-1.txt", "changed\n");
  expect((await diff(bench)).files[0]?.patch).toMatch(/-Subproject commit .*\n\+Subproject commit /);
});

it("sees a change within the second of git's own index, of the same size", async () => {
  const bench = await setUp((repository) => commit(repository, "quick", "aaa\n"));
  await git(["read-tree", "HEAD"], { cwd: bench.path });
  await git(["update-index", "--refresh"], { cwd: bench.path });
  await writeFile(join(bench.path, "quick"), "bbb\n");
  await writeFile(join(bench.path, "untracked"), "");
  expect(file(await diff(bench), "quick").patch).toContain("+bbb");
});

it("compares with nothing before the first commit, and reports a deleted base", async () => {
  const bench = await setUp();
  await git(["checkout", "--quiet", "--orphan", "fresh"], { cwd: bench.path });
  const empty = await diff(bench, { against: "head" });
  expect(empty).toMatchObject({ from: null, head: null, files: [{ path: "file-1.txt", status: "added" }] });
  await expect(diff(bench)).rejects.toMatchObject({ reason: "base_unknown" });
  await add(bench, "fresh");
  await git(["checkout", "--quiet", "--detach"], { cwd: bench.repository });
  await git(["branch", "--quiet", "-D", "main"], { cwd: bench.repository });
  await expect(diff(bench)).rejects.toMatchObject({ reason: "base_unknown" });
  expect((await diff(bench, { against: "head" })).files).toEqual([]);
});

it("reports a worktree that no longer exists, or leads elsewhere", async () => {
  const bench = await setUp();
  await rm(join(bench.path, ".git"));
  execFileSync("git", ["init", "--quiet"], { cwd: bench.path, env: gitEnv });
  await expect(diff(bench)).rejects.toMatchObject({ reason: "worktree_unreadable" });
  await rm(bench.path, { recursive: true });
  await expect(diff(bench)).rejects.toMatchObject({ reason: "worktree_missing" });
});

it("shows what has changed since a restore point, untracked files too", async () => {
  const bench = await setUp();
  await writeFile(join(bench.path, "both.txt"), "one\n");
  await writeFile(join(bench.path, "removed.txt"), "removed\n");
  const { point } = await makePointTool(bench.device).run({ workspaceId: bench.id }, testContext());
  const against = { point: point ?? "" };
  expect(await diff(bench, { against })).toMatchObject({ from: point, filesTotal: 0 });
  await writeFile(join(bench.path, "both.txt"), "one\ntwo\n");
  await writeFile(join(bench.path, "later.txt"), "later\n");
  await rm(join(bench.path, "removed.txt"));
  await add(bench, "Work");
  const changed = await diff(bench, { against });
  expect(changed.files.map(({ path, status }) => `${path} ${status}`)).toEqual([
    "both.txt modified",
    "later.txt added",
    "removed.txt deleted",
  ]);
  expect(file(changed, "both.txt").patch).toContain("+two\n");
  await expect(diff(bench, { against: { point: "0".repeat(40) } })).rejects.toMatchObject({
    reason: "point_gone",
  });
});
