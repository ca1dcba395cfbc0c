import { execFile } from "node:child_process";
import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type DeviceToolName, type DeviceToolParams, deviceTools, type WorkspaceMade } from "@grove/schemas";
import { expect, it } from "vitest";
import { createGit } from "../../git/run";
import { startTestDevice, testContext } from "../../testing/deps";
import { git, gitEnv } from "../../testing/repository";
import type { Tool } from "../../tool";
import { createWorkspaceTool } from "../createWorkspace";
import { createTools } from "../tools";

/** A workspace of a repository, and a way to run the tools on it. */
async function setUp() {
  const device = await startTestDevice();
  const { id: projectId, path: repository } = await device.addRepository("app");
  const { workspaces } = await createWorkspaceTool(device).run(
    { projectId, workspaces: [{ name: "one" }] },
    testContext(),
  );
  const { id: workspaceId, path } = workspaces[0] as Required<WorkspaceMade>;
  const tools = createTools(device);
  async function run<Name extends DeviceToolName>(name: Name, given: object) {
    const { params, result } = deviceTools[name];
    const tool = tools[name] as Tool<Name> | undefined;
    const answer = await tool?.run(params.parse(given) as DeviceToolParams<Name>, testContext());
    return result.parse(answer);
  }
  return {
    device,
    projectId,
    repository,
    path,
    write: async (name: string, content: string | Buffer) => {
      await mkdir(join(path, name, ".."), { recursive: true });
      await writeFile(join(path, name), content);
    },
    list: (directory?: string) => run("list_files", { workspaceId, directory }) as Promise<Listed>,
    read: (name: string, more: object = {}) =>
      run("read_file", { workspaceId, path: name, ...more }) as Promise<Read>,
    search: (query: string, more: object = {}) =>
      run("search_files", { workspaceId, query, ...more }) as Promise<Found>,
    branches: (search?: string) => run("list_branches", { projectId, search }) as Promise<Branches>,
    otherBranches: () => run("list_branches", { projectId: crypto.randomUUID() }),
  };
}
type Listed = ReturnType<(typeof deviceTools)["list_files"]["result"]["parse"]>;
type Read = ReturnType<(typeof deviceTools)["read_file"]["result"]["parse"]>;
type Found = ReturnType<(typeof deviceTools)["search_files"]["result"]["parse"]>;
type Branches = ReturnType<(typeof deviceTools)["list_branches"]["result"]["parse"]>;

const failure = (reason: string) => expect.objectContaining({ reason });

it("lists a directory: directories first, with kinds, sizes and what git ignores, without .git", async () => {
  const { list, write, path } = await setUp();
  await write(".gitignore", "*.log\nbuild/\n");
  await write("a.log", "12345");
  await write("src/deep/x.ts", "x");
  await write("build/out.js", "");
  await symlink("/etc/passwd", join(path, "link"));
  await write("sub/.git/HEAD", "");
  const { entries, truncated } = await list();
  expect(truncated).toBe(false);
  const described = entries.map(({ name, kind, size, ignored }) => [name, kind, size, ignored]);
  expect(described).toEqual([
    ["build", "directory", null, true],
    ["src", "directory", null, false],
    ["sub", "submodule", null, false],
    [".gitignore", "file", 13, false],
    ["a.log", "file", 5, true],
    ["file-1.txt", "file", 11, false],
    ["link", "link", null, false],
  ]);
  expect((await list("src/deep")).entries).toMatchObject([{ name: "x.ts" }]);
  expect((await list("build")).entries).toMatchObject([{ name: "out.js", ignored: true }]);
});

it("cuts the list of a directory with more than 2 000 entries", async () => {
  const { list, path } = await setUp();
  await mkdir(join(path, "many"));
  for (let n = 0; n < 2_001; n++) await writeFile(join(path, "many", `f${n}`), "");
  const { entries, truncated } = await list("many");
  expect([entries.length, truncated]).toEqual([2_000, true]);
});

it("shows a name that is not UTF-8 in git's quotes", async () => {
  const { list, path } = await setUp();
  await mkdir(join(path, "odd"));
  await writeFile(Buffer.concat([Buffer.from(`${path}/odd/a`), Buffer.from([0xff])]), "");
  expect((await list("odd")).entries).toMatchObject([{ name: '"a\\377"' }]);
});

it("reads a text in parts that join to the whole, even if a part would end within a character", async () => {
  const { read, write } = await setUp();
  const text = "aé€😀".repeat(60_000);
  await write("long.txt", text);
  let joined = "";
  let parts = 0;
  for (let offset: number | null = 0; offset !== null; parts++) {
    const part: Read = await read("long.txt", { offset });
    expect(part).toMatchObject({ kind: "text", size: Buffer.byteLength(text) });
    joined += part.text;
    offset = part.nextOffset;
  }
  expect(joined === text).toBe(true);
  expect(parts).toBe(3);
  expect(await read("long.txt", { offset: 10_000_000 })).toMatchObject({ text: "", nextOffset: null });
});

it("a part never weighs more than a report may, even if it is all control characters", async () => {
  const { read, write } = await setUp();
  await write("controls.txt", "\u0001".repeat(300_000));
  const part = await read("controls.txt");
  expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(700_200);
  expect(part.nextOffset).toBe(part.text?.length);
});

it("distinguishes texts, pictures and binary files", async () => {
  const { read, write } = await setUp();
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.alloc(100)]);
  await write("a.png", png);
  await write("huge.png", Buffer.concat([png, Buffer.alloc(500_000)]));
  await write("a.bin", Buffer.from([1, 0, 2]));
  await write("empty", "");
  expect(await read("a.png")).toMatchObject({
    kind: "image",
    image: { mediaType: "image/png", base64: png.toString("base64") },
  });
  expect(await read("huge.png")).toMatchObject({ kind: "binary", size: 500_108 });
  expect(await read("a.bin")).toEqual({ kind: "binary", size: 3, nextOffset: null });
  expect(await read("empty")).toEqual({ kind: "text", size: 0, text: "", nextOffset: null });
});

it("reads a file as of a commit, and reports if the commit does not contain it", async () => {
  const { read, write, path } = await setUp();
  await write("a.txt", "before");
  await git(["add", "--all"], { cwd: path });
  await git(["commit", "--quiet", "--message", "one"], { cwd: path });
  const commit = (await git(["rev-parse", "HEAD"], { cwd: path })).trim();
  await write("a.txt", "after");
  expect((await read("a.txt", { commit })).text).toBe("before");
  expect((await read("a.txt")).text).toBe("after");
  await expect(read("none.txt", { commit })).rejects.toEqual(failure("file_not_found"));
  await expect(read("a.txt", { commit: "0".repeat(40) })).rejects.toEqual(failure("file_not_found"));
});

it("reads nothing outside the worktree through any kind of link", async () => {
  const { read, list, path, device } = await setUp();
  const outside = join(device.directory, "outside");
  await mkdir(outside);
  await writeFile(join(outside, "secret"), "secret");
  await symlink(outside, join(path, "dir"));
  await symlink(join(outside, "secret"), join(path, "file"));
  await expect(read("file")).rejects.toEqual(failure("not_a_file"));
  await expect(read("dir/secret")).rejects.toEqual(failure("file_not_found"));
  await expect(list("dir")).rejects.toEqual(failure("file_not_found"));
  for (const upwards of ["../outside/secret", "/etc/passwd", "a/../../x", "."])
    await expect(read(upwards)).rejects.toThrow("within the worktree");
});

it("reads no pipe, no directory, and nothing that is not there", async () => {
  const { read, list, path } = await setUp();
  await mkdir(join(path, "dir"));
  await promisify(execFile)("mkfifo", [join(path, "pipe")]);
  await expect(read("pipe")).rejects.toEqual(failure("not_a_file"));
  await expect(read("dir")).rejects.toEqual(failure("not_a_file"));
  await expect(read("none")).rejects.toEqual(failure("file_not_found"));
  await expect(read("file-1.txt/none")).rejects.toEqual(failure("file_not_found"));
  await expect(list("none")).rejects.toEqual(failure("file_not_found"));
  await expect(list("file-1.txt")).rejects.toEqual(failure("not_a_directory"));
});

it("finds lines of tracked and untracked files, not of ignored ones, with the query taken literally", async () => {
  const { search, write } = await setUp();
  await write(".gitignore", "*.log\n");
  await write("src/a.ts", "one\nconst needle.* = 1;\nNEEDLE.*\n");
  await write("b.log", "needle.*");
  await write("c.bin", Buffer.from("needle.*\0"));
  await write("long.txt", `${"x".repeat(1_000)}needle.*${"y".repeat(1_000)}\n`);
  const { matches, truncated } = await search("needle.*");
  expect(truncated).toBe(false);
  expect(matches).toEqual([
    { path: "long.txt", line: 1, text: expect.stringMatching(/^x{80}needle\.\*y{212}$/) },
    { path: "src/a.ts", line: 2, text: "const needle.* = 1;" },
    { path: "src/a.ts", line: 3, text: "NEEDLE.*" },
  ]);
  expect((await search("needle.*", { matchCase: true })).matches).toHaveLength(2);
  expect(await search("--help")).toEqual({ matches: [], truncated: false });
  await write("many.txt", "match\n".repeat(501));
  const many = await search("match");
  expect([many.matches.length, many.truncated]).toEqual([500, true]);
});

it("finds files by their path, those whose own name matches first", async () => {
  const { search, write } = await setUp();
  await write("login/index.ts", "");
  await write("src/Login.tsx", "");
  await write(".gitignore", "*.log\n");
  await write("login.log", "");
  const { matches } = await search("login", { in: "names" });
  expect(matches.map(({ path }) => path)).toEqual(["src/Login.tsx", "login/index.ts"]);
});

it("lists local and remote branches once, newest first, with where they are checked out", async () => {
  const { branches, repository, path, device } = await setUp();
  const origin = join(device.directory, "origin");
  await git(["clone", "--quiet", "--bare", repository, origin]);
  await git(["remote", "add", "origin", origin], { cwd: repository });
  for (const [name, date] of [
    ["old", "2020-01-01T00:00:00Z"],
    ["newest", "2040-01-01T00:00:00Z"],
    ["remote-only", "2030-01-01T00:00:00Z"],
  ] as const) {
    await git(["checkout", "--quiet", "-b", name, "main"], { cwd: repository });
    const commit = createGit({ ...gitEnv, GIT_COMMITTER_DATE: date });
    await commit(["commit", "--quiet", "--allow-empty", "--message", `on ${name}`], { cwd: repository });
  }
  await git(["push", "--quiet", "origin", "newest", "remote-only"], { cwd: repository });
  await git(["checkout", "--quiet", "main"], { cwd: repository });
  await git(["branch", "--quiet", "-D", "remote-only"], { cwd: repository });
  await git(["fetch", "--quiet", "origin"], { cwd: repository });
  await git(["remote", "set-head", "origin", "main"], { cwd: repository }).catch(() => undefined);
  const all = await branches();
  expect(all.defaultBranch).toBe("main");
  const names = all.branches.map(({ name, local }) => (local ? name : `origin: ${name}`));
  expect(names.slice(0, 2)).toEqual(["newest", "origin: remote-only"]);
  expect(names.at(-1)).toBe("old");
  expect(all.branches.find(({ name }) => name === "main")?.checkedOutAt).toBe(repository);
  expect(all.branches.some(({ checkedOutAt }) => checkedOutAt === path)).toBe(true);
  expect(all.branches[0]).toMatchObject({ subject: "on newest" });
  expect((await branches("OLD")).branches).toMatchObject([{ name: "old" }]);
});

it("reports that a project's repository does not exist yet, or no longer", async () => {
  const { branches, otherBranches, repository } = await setUp();
  await expect(otherBranches()).rejects.toEqual(failure("repository_not_on_device"));
  await rename(repository, `${repository}-moved`);
  await expect(branches()).rejects.toEqual(failure("repository_missing"));
});
