import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { seeded } from "@grove/testing/random";
import { expect, it } from "vitest";
import { bringBack } from "../../git/points/bringBack";
import { listRescues } from "../../git/points/rescue";
import { testContext } from "../../testing/deps";
import { branches, commit, git } from "../../testing/repository";
import { configure } from "../../testing/session";
import { type Made, make, remove, setUp } from "../../testing/workspace";
import { makePointTool } from "../points/makePoint";

/** How many workspaces with generated work are deleted. */
const DELETIONS = Number(process.env.DELETIONS ?? 3);

const groveRefs = async (repository: string) =>
  (await git(["for-each-ref", "--format=%(refname)", "refs/grove/"], { cwd: repository })).trim();

it("a workspace that was deleted by force is restored byte for byte", async () => {
  const { device, repository, made } = await setUp(["one"]);
  const { id, path, branch } = made[0] as Made;
  const committed = await commit(path, "committed.txt");
  await writeFile(join(path, "file-1.txt"), "staged\n");
  await git(["add", "--", "file-1.txt"], { cwd: path });
  await writeFile(join(path, "file-1.txt"), "changed\n");
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  await mkdir(join(path, "new"));
  await writeFile(join(path, "new", "bytes.bin"), bytes);
  await writeFile(join(path, "new", "crlf.txt"), "one\r\ntwo\n");
  await chmod(join(path, "new", "bytes.bin"), 0o755);
  await makePointTool(device).run({ workspaceId: id }, testContext());

  const [item] = await remove(device, [id], { force: true, deleteBranch: true });
  expect(item).toMatchObject({ worktreeRemoved: true, branchDeleted: true, warnings: [] });
  const ref = `refs/grove/rescue/${id}`;
  expect(item?.rescue?.ref).toBe(ref);
  // The restore points are removed with the workspace; the rescue point has its last state.
  expect(await groveRefs(repository)).toBe(ref);

  await git(["gc", "--quiet", "--prune=now"], { cwd: repository });
  const [rescue] = await listRescues(git, repository);
  expect(rescue).toMatchObject({ workspaceId: id, name: "one", branch, head: committed, uncommitted: true });
  expect(rescue?.until.toISOString().slice(0, 16)).toBe(item?.rescue?.until.slice(0, 16));
  const directory = join(device.directory, "rescued");
  await bringBack(git, repository, rescue ?? expect.fail(), { branch: "grove/rescued-one", directory });
  expect(await readFile(join(directory, "committed.txt"), "utf8")).toBe("committed.txt\n");
  expect(await readFile(join(directory, "file-1.txt"), "utf8")).toBe("changed\n");
  expect((await readFile(join(directory, "new", "bytes.bin"))).equals(bytes)).toBe(true);
  expect((await stat(join(directory, "new", "bytes.bin"))).mode & 0o111).toBe(0o111);
  expect(await readFile(join(directory, "new", "crlf.txt"), "utf8")).toBe("one\r\ntwo\n");
  await git(["reset", "--quiet", committed], { cwd: directory });
  expect(await git(["status", "--porcelain=v1"], { cwd: directory })).toBe(" M file-1.txt\n?? new/\n");
});

/** The files of a directory, with their modes and bytes. */
async function contentsOf(directory: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(directory, path);
    if (name.split("/")[0] === ".git" || entry.isDirectory()) continue;
    found[name] = entry.isSymbolicLink()
      ? `link ${await readlink(path)}`
      : `${(await stat(path)).mode & 0o111} ${(await readFile(path)).toString("latin1")}`;
  }
  return found;
}

it("generated work that was deleted by force is restored byte for byte", {
  timeout: 60_000 + DELETIONS * 10_000,
}, async () => {
  const random = seeded(31);
  const below = (limit: number) => Math.floor(random() * limit);
  const names = ["a.txt", "ä ö.txt", "dir/b.bin", "dir/deep/-c", "line\nbreak", "file-1.txt", "#d", '"e"'];
  const write = async (path: string) => {
    const name = join(path, names[below(names.length)] ?? "");
    await mkdir(dirname(name), { recursive: true });
    await rm(name, { force: true });
    const bytes = Buffer.from(Array.from({ length: below(2_000) }, () => below(256)));
    if (below(6) === 0) await symlink("nowhere", name);
    else await writeFile(name, bytes, { mode: below(3) === 0 ? 0o755 : 0o644 });
  };
  const { device, projectId, repository } = await setUp([]);
  for (let n = 0; n < DELETIONS; n++) {
    const { id, path, branch } = await make(device, projectId, `deleted-${n}`);
    for (let step = 2 + below(8); step > 0; step--) {
      const kind = below(5);
      if (kind === 0) await git(["add", "--all"], { cwd: path });
      else if (kind === 1) {
        await git(["add", "--all"], { cwd: path });
        await git(["commit", "--quiet", "--allow-empty", "--message", `${n}`], { cwd: path });
      } else if (kind === 2) await rm(join(path, "file-1.txt"), { force: true });
      else await write(path);
    }
    await write(path);
    const before = await contentsOf(path);
    const head = (await git(["rev-parse", "HEAD"], { cwd: path })).trim();
    await remove(device, [id], { force: true, deleteBranch: true });
    if (n % 10 === 9) await git(["gc", "--quiet", "--prune=now"], { cwd: repository });
    const rescue = (await listRescues(git, repository)).find(({ workspaceId }) => workspaceId === id);
    expect(rescue).toMatchObject({ branch, head });
    const directory = join(device.directory, `rescued-${n}`);
    await bringBack(git, repository, rescue ?? expect.fail(), { branch: `rescued-${n}`, directory });
    expect(await contentsOf(directory)).toEqual(before);
  }
});

it("commits of a deleted branch are restored, even if another was checked out", async () => {
  const { device, repository, made } = await setUp(["one"]);
  const { id, path, branch } = made[0] as Made;
  const lost = await commit(path, "lost.txt");
  await git(["checkout", "--quiet", "--detach", "main"], { cwd: path });
  const [item] = await remove(device, [id], { force: true, deleteBranch: true });
  expect(item?.branchDeleted).toBe(true);
  expect(await branches(repository)).toEqual(["main"]);
  expect(item?.rescue?.ref).toBeDefined();
  await git(["gc", "--quiet", "--prune=now"], { cwd: repository });
  expect(await git(["show", `${lost}:lost.txt`], { cwd: repository })).toBe("lost.txt\n");
  expect((await listRescues(git, repository))[0]).toMatchObject({ branch });
});

it("without work, or with restore points off, there is no rescue point", async () => {
  const { device, repository, made } = await setUp(["clean", "off"]);
  const [clean, off] = made as [Made, Made];
  const [first] = await remove(device, [clean.id], { deleteBranch: true });
  expect(first).toEqual({
    id: clean.id,
    name: "clean",
    worktreeRemoved: true,
    branchDeleted: true,
    warnings: [],
  });
  await configure(device, {}, { restorePoints: false });
  await writeFile(join(off.path, "work.txt"), "");
  const [second] = await remove(device, [off.id], { force: true });
  expect(second?.rescue).toBeUndefined();
  expect(await groveRefs(repository)).toBe("");
});

it("files that a rescue point does not hold are named", async () => {
  const { device, made } = await setUp(["one"]);
  const { id, path } = made[0] as Made;
  await writeFile(join(path, "large.bin"), "");
  await truncate(join(path, "large.bin"), 20 * 1024 * 1024 + 1);
  await commit(path, "work.txt");
  const [item] = await remove(device, [id], { force: true });
  expect(item?.warnings).toEqual(["These were not kept for `grove-device rescue`: large.bin."]);
});
