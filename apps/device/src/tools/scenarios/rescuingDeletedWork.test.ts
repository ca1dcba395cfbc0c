import { chmod, mkdir, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bringBack } from "../../git/points/bringBack";
import { listRescues } from "../../git/points/rescue";
import { testContext } from "../../testing/deps";
import { branches, commit, git } from "../../testing/repository";
import { configure } from "../../testing/session";
import { type Made, remove, setUp } from "../../testing/workspace";
import { makePointTool } from "../points/makePoint";

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
