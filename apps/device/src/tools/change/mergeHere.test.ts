import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, messageOf } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { make } from "../../testing/workspace";
import { fingerprint, workspaceWithRemote } from "../../testing/workspaceWithRemote";
import { getChangeStatusTool } from "./getChangeStatus";
import { mergeHereTool } from "./mergeHere";

async function setUp() {
  const one = await workspaceWithRemote();
  const { device, id, repository, revision } = one;
  const main = () => revision("refs/heads/main", repository);
  const run = async (params: object = {}, context = testContext()) =>
    mergeHereTool(device).run(
      deviceTools.merge_here.params.parse({
        workspaceId: id,
        head: await one.head(),
        expectBase: await main(),
        ...params,
      }),
      context,
    );
  await commit(one.path, "work.txt");
  return { ...one, main, run };
}

it("fast-forwards the base, with the files of the main work tree", async () => {
  const { run, main, head, repository, device, id } = await setUp();
  await writeFile(join(repository, "untracked.txt"), "untracked\n");
  expect(await run()).toEqual({ commit: await head(), base: "main" });
  expect(await main()).toBe(await head());
  expect(await readFile(join(repository, "work.txt"), "utf8")).toBe("work.txt\n");
  expect(await git(["status", "--porcelain"], { cwd: repository })).toBe("?? untracked.txt\n");
  const status = await getChangeStatusTool(device).run({ workspaceId: id }, testContext());
  expect(status).toMatchObject({ ahead: 0, behind: 0, baseCommit: await head() });
  // Once more changes nothing.
  expect(await run()).toEqual({ commit: await head(), base: "main" });
});

it("merges into a base that has moved on, here and where it is not checked out", async () => {
  const { run, main, head, repository, revision, path } = await setUp();
  for (const elsewhere of [false, true]) {
    if (elsewhere) await git(["checkout", "--quiet", "-b", "other"], { cwd: repository });
    const before = await main();
    const made = await run({ message: "Merge the work" });
    expect(await main()).toBe(made.commit);
    expect(await git(["log", "-1", "--format=%P %an%n%B", made.commit], { cwd: repository })).toBe(
      `${before} ${await head()} Test\nMerge the work\n\n`,
    );
    expect(await git(["status", "--porcelain"], { cwd: repository })).toBe("");
    // The other branch stays where it is.
    if (elsewhere) expect(await revision("HEAD", repository)).toBe(before);
    else {
      await commit(repository, "theirs.txt");
      await commit(path, "more.txt");
    }
  }
});

describe("refuses, and changes nothing", () => {
  const refused = async (one: Awaited<ReturnType<typeof setUp>>, reason: string, params: object = {}) => {
    const prints = () => Promise.all([fingerprint(one.path), fingerprint(one.repository)]);
    const before = await prints();
    const failure = await one.run(params).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(await prints()).toEqual(before);
    return { message: messageOf(failure) };
  };

  it("conflicts, with the files", async () => {
    const one = await setUp();
    await commit(one.path, "file-1.txt", "mine\n");
    await commit(one.repository, "file-1.txt", "theirs\n");
    expect((await refused(one, "conflicts")).message).toContain("conflict in file-1.txt");
  });

  it("head_moved, for the workspace and for the base", async () => {
    const one = await setUp();
    await refused(one, "head_moved", { head: "0".repeat(40) });
    await refused(one, "head_moved", { expectBase: "0".repeat(40) });
  });

  it("uncommitted_work, in the workspace and where the base is checked out", async () => {
    const one = await setUp();
    await one.write("new.txt", "new\n");
    await refused(one, "uncommitted_work");
    await git(["clean", "--quiet", "-f"], { cwd: one.path });
    await writeFile(join(one.repository, "file-1.txt"), "mine\n");
    expect((await refused(one, "uncommitted_work")).message).toContain(one.repository);
  });

  it("files_in_the_way, if an untracked file would be overwritten", async () => {
    const one = await setUp();
    await writeFile(join(one.repository, "work.txt"), "not in git\n");
    await refused(one, "files_in_the_way");
  });

  it("branch_checked_out, if another workspace has the base", async () => {
    const one = await setUp();
    await git(["checkout", "--quiet", "-b", "other"], { cwd: one.repository });
    const { path } = await make(one.device, one.projectId, "two");
    await git(["checkout", "--quiet", "main"], { cwd: path });
    await refused(one, "branch_checked_out");
  });

  it("in_the_middle, of the workspace and of the base", async () => {
    const one = await setUp();
    await git(["bisect", "start"], { cwd: one.path });
    await refused(one, "in_the_middle");
    await git(["bisect", "reset"], { cwd: one.path });
    await git(["bisect", "start"], { cwd: one.repository });
    await refused(one, "in_the_middle");
  });

  it("base_gone", async () => {
    const one = await setUp();
    const workspace = (await one.device.store.workspace(one.id)) ?? expect.fail();
    await one.device.store.saveWorkspace({ ...workspace, baseBranch: "gone" });
    await refused(one, "base_gone");
  });

  it("signing_failed", async () => {
    const one = await setUp();
    await git(["config", "commit.gpgSign", "true"], { cwd: one.repository });
    await git(["config", "gpg.program", "false"], { cwd: one.repository });
    await refused(one, "signing_failed", { message: "Merge" });
  });
});

it("loses no commit that someone makes on the base at the same time", async () => {
  const { run, main, repository, path, revision } = await setUp();
  await git(["checkout", "--quiet", "-b", "other"], { cwd: repository });
  for (let n = 0; n < 20; n++) {
    const before = await main();
    const tree = await revision(`${before}^{tree}`);
    const theirs = (await git(["commit-tree", tree, "-p", before, "-m", `${n}`], { cwd: repository })).trim();
    await commit(path, `${n}.txt`);
    const results = await Promise.allSettled([
      run({ expectBase: before, message: "Merge" }),
      git(["update-ref", "refs/heads/main", theirs, before], { cwd: repository }),
    ]);
    const made = results.filter(({ status }) => status === "fulfilled");
    expect(made).toHaveLength(1);
    expect(await main()).toBe(results[0].status === "fulfilled" ? results[0].value.commit : theirs);
  }
});

it("after a crash, recover reads whether the base has the commit", async () => {
  const { run, device, main, head } = await setUp();
  const context = testContext();
  const note = async (value: unknown) => {
    await context.note(value);
    throw new Error("killed");
  };
  const before = await main();
  await expect(run({}, { ...context, note })).rejects.toThrow("killed");
  const recover = () => mergeHereTool(device).recover?.(context.notes, testContext());
  expect(await recover()).toContain(`'main' does not have the merge ${await head()}`);
  expect(await main()).toBe(before);
  await run();
  expect(await recover()).toBe(`'main' has the merge ${await head()}.`);
});
