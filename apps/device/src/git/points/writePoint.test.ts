import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, lstat, mkdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it, onTestFinished } from "vitest";
import { commit, git, makeRepository } from "../../testing/repository";
import { openWorktree } from "../worktree/openWorktree";
import { addWorktree } from "../worktree/worktree";
import { listPoints } from "./listPoints";
import { writePoint } from "./writePoint";

const workspaceId = "0d6a2f0e-7c57-4a52-9b0b-6f8a4c6f2c11";

/** How many points are made while a program writes. */
const RUNS = Number(process.env.POINT_RUNS ?? 20);

async function setUp() {
  const directory = await temporaryDirectory();
  const repository = await makeRepository(join(directory, "repository"), { commits: 2 });
  const path = join(directory, "tree");
  const head = (await git(["rev-parse", "HEAD"], { cwd: repository })).trim();
  await addWorktree(git, { repository, path, branch: "work", commit: head });
  const worktree = await openWorktree(git, repository, path);
  const point = (minNumber?: number) => writePoint(worktree, { workspaceId, minNumber });
  const show = (revision: string) => git(["show", revision], { cwd: repository });
  return { repository, path, head, worktree, point, show };
}

/** Everything of git that a restore point must not change, byte for byte. */
async function stateOf({ gitDir, commonDir }: { gitDir: string; commonDir: string }) {
  const files = [
    ...["index", "HEAD", "logs/HEAD", "ORIG_HEAD"].map((name) => join(gitDir, name)),
    ...["config", "refs/stash", "logs/refs/stash", "HEAD"].map((name) => join(commonDir, name)),
  ];
  return Promise.all(
    files.map(async (file) => [file, await readFile(file, "latin1").catch(() => "missing")] as const),
  );
}

it("a point holds changed, staged, deleted and untracked files, links and modes, but no ignored ones", async () => {
  const { path, head, worktree, point, show, repository } = await setUp();
  await writeFile(join(path, "file-1.txt"), "staged\n");
  await git(["add", "--", "file-1.txt"], { cwd: path });
  await writeFile(join(path, "file-1.txt"), "changed\n");
  await rm(join(path, "file-2.txt"));
  await mkdir(join(path, "new ä"));
  await writeFile(join(path, "new ä", "line\nbreak"), "untracked\n");
  await writeFile(join(path, "run"), "#!/bin/sh\n");
  await chmod(join(path, "run"), 0o755);
  await symlink("nowhere", join(path, "link"));
  await writeFile(join(worktree.commonDir, "info", "exclude"), "*.log\n");
  await writeFile(join(path, "debug.log"), "ignored\n");
  const before = await stateOf(worktree);

  const made = await point();
  expect(made).toMatchObject({ number: 1, skipped: [] });
  expect(await stateOf(worktree)).toEqual(before);
  const listed = await git(["ls-tree", "-r", "-z", made.point], { cwd: repository });
  expect(listed.split("\0").map((entry) => entry.replace(/ blob [0-9a-f]+/, ""))).toEqual([
    "100644\tfile-1.txt",
    "120000\tlink",
    "100644\tnew ä/line\nbreak",
    "100755\trun",
    "",
  ]);
  expect(await show(`${made.point}:file-1.txt`)).toBe("changed\n");
  expect(await show(`${made.point}^2:file-1.txt`)).toBe("staged\n");
  const about = await git(["show", "--no-patch", "--format=%an <%ae> %cn <%ce>%n%P", made.point], {
    cwd: repository,
  });
  expect(about.split(/[\n ]/).filter((word) => word === head)).toHaveLength(1);
  expect(about).toMatch(/^Grove <grove@localhost> Grove <grove@localhost>\n/);
});

it("without changes the newest point is returned; a given number counts only upwards", async () => {
  const { path, point, worktree } = await setUp();
  const first = await point(4);
  expect(await point(9)).toEqual(first);
  await writeFile(join(path, "file-1.txt"), "one\ntwo\n");
  const second = await point(3);
  expect([first.number, second.number]).toEqual([4, 5]);
  await commit(path, "file-1.txt", "one\ntwo\n");
  // The files are the same, but another commit is checked out.
  const third = await point();
  expect(await listPoints(worktree, workspaceId)).toMatchObject([
    { point: third.point, number: 6, files: 0, added: 0, removed: 0 },
    { point: second.point, number: 5, files: 1, added: 2, removed: 1 },
    { point: first.point, number: 4, kind: "turn", files: 0 },
  ]);
});

it("hidden edits and conflicts are in the point, which then has no index", async () => {
  const { path, point, show, repository } = await setUp();
  await git(["checkout", "--quiet", "-b", "other"], { cwd: repository });
  await commit(repository, "both.txt", "theirs\n");
  await commit(path, "both.txt", "ours\n");
  await git(["merge", "--quiet", "other"], { cwd: path }).catch(() => {});
  await git(["update-index", "--skip-worktree", "--", "file-1.txt"], { cwd: path });
  await writeFile(join(path, "file-1.txt"), "hidden\n");
  const made = await point();
  expect(made.skipped).toEqual([]);
  expect(await show(`${made.point}:both.txt`)).toContain("<<<<<<<");
  expect(await show(`${made.point}:file-1.txt`)).toBe("hidden\n");
  await expect(show(`${made.point}^2`)).rejects.toThrow("unknown revision");
});

it("a link that has replaced a directory is in the point, without the files behind it", async () => {
  const { path, point, repository } = await setUp();
  const outside = await temporaryDirectory();
  for (const directory of [join(path, "old"), outside]) await mkdir(directory, { recursive: true });
  await commit(path, "old/file.txt");
  await writeFile(join(outside, "file.txt"), "changed\n");
  await rm(join(path, "old"), { recursive: true });
  await symlink(outside, join(path, "old"));
  const made = await point();
  expect(made.skipped).toEqual([]);
  const names = await git(["ls-tree", "-r", "--name-only", made.point], { cwd: repository });
  expect(names).toBe("file-1.txt\nfile-2.txt\nold\n");
});

it("large files and other repositories are left out and named", async () => {
  const { path, point, repository } = await setUp();
  const large = join(path, "large.bin");
  await writeFile(large, "");
  await truncate(large, 20 * 1024 * 1024 + 1);
  await makeRepository(join(path, "nested"));
  await writeFile(join(path, "small.txt"), "small\n");
  const made = await point();
  expect(made.skipped).toEqual([
    { path: "large.bin", why: "too_large" },
    { path: "nested/", why: "repository" },
  ]);
  const names = await git(["ls-tree", "-r", "--name-only", made.point], { cwd: repository });
  expect(names).toBe("file-1.txt\nfile-2.txt\nsmall.txt\n");
});

it("points made while a program writes change nothing of git, run no hook, and outlive a collection", async () => {
  const { path, worktree, point, repository } = await setUp();
  await writeFile(join(path, "file-1.txt"), "stashed\n");
  await git(["stash", "--quiet"], { cwd: path });
  await writeFile(join(path, "file-2.txt"), "staged\n");
  await git(["add", "--", "file-2.txt"], { cwd: path });
  const hook = join(worktree.commonDir, "hooks", "reference-transaction");
  await writeFile(hook, `#!/bin/sh\ntouch '${repository}/hook-ran'\n`);
  await chmod(hook, 0o755);
  const source = `
    const { writeFileSync, rmSync } = require("node:fs");
    for (let n = 0; ; n++) {
      writeFileSync("written-" + (n % 7), "content " + n);
      rmSync("written-" + ((n + 3) % 7), { force: true });
    }`;
  const writer = spawn(process.execPath, ["-e", source], { cwd: path, stdio: "ignore" });
  onTestFinished(() => void writer.kill("SIGKILL"));
  const before = await stateOf(worktree);
  const made = [];
  for (let n = 0; n < RUNS; n++) made.push(await point());
  expect(await stateOf(worktree)).toEqual(before);
  writer.kill("SIGKILL");
  await once(writer, "exit");
  expect(new Set(made.map((one) => one.point)).size).toBeGreaterThan(1);
  await expect(lstat(join(repository, "hook-ran"))).rejects.toThrow("ENOENT");
  await git(["gc", "--quiet", "--prune=now"], { cwd: repository });
  await git(["fsck", "--strict", "--no-dangling"], { cwd: repository });
  // The oldest of very many points have expired.
  const kept = await listPoints(worktree, workspaceId);
  expect(kept[0]?.point).toBe(made.at(-1)?.point);
  for (const one of kept) await git(["ls-tree", "-r", one.point], { cwd: repository });
});
