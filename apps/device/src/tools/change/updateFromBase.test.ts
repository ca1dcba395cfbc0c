import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, messageOf } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { createGit } from "../../git/run";
import { isThere } from "../../lib/fileSystem";
import { fingerprint, withRemote } from "../../testing/change";
import { testContext } from "../../testing/deps";
import { commit, git, gitEnv } from "../../testing/repository";
import { node, startTestSession } from "../../testing/session";
import { listPointsTool } from "../points/listPoints";
import { getChangeStatusTool } from "./getChangeStatus";
import { updateFromBaseTool } from "./updateFromBase";

async function setUp() {
  const one = await withRemote({ commits: 2 });
  const { device, id } = one;
  const run = async (params: object = {}, context = testContext()) =>
    updateFromBaseTool(device).run(
      deviceTools.update_from_base.params.parse({
        workspaceId: id,
        expectHead: await one.head(),
        ...params,
      }),
      context,
    );
  const readStatus = () => getChangeStatusTool(device).run({ workspaceId: id }, testContext());
  await commit(one.path, "mine.txt");
  return { ...one, run, readStatus };
}

/** A workspace whose base has a commit that it does not have. */
async function behind() {
  const one = await setUp();
  await git(["rm", "--quiet", "file-2.txt"], { cwd: one.repository });
  const base = await commit(one.repository, "theirs.txt");
  return { ...one, base };
}

it("merges the base, and makes a restore point first", async () => {
  const { run, base, head, path, status, device, id, readStatus } = await behind();
  const before = await head();
  expect(await readStatus()).toMatchObject({ ahead: 1, behind: 1, conflictsWithBase: [] });
  const result = await run();
  expect(result).toEqual({ head: await head(), base });
  expect((await git(["log", "-1", "--format=%P"], { cwd: path })).trim()).toBe(`${before} ${base}`);
  expect(await status()).toBe("");
  expect(await isThere(join(path, "theirs.txt"))).toBe(true);
  expect(await isThere(join(path, "file-2.txt"))).toBe(false);
  expect(await readStatus()).toMatchObject({ ahead: 2, behind: 0 });
  const { points } = await listPointsTool(device).run({ workspaceId: id }, testContext());
  expect(points.map(({ kind }) => kind)).toEqual(["turn", "fork"]);
  expect(await run()).toEqual({ head: await head(), base });
});

it("rebases onto the base, without another worktree left behind", async () => {
  const { run, base, path, status, repository } = await behind();
  await commit(path, "second.txt");
  await run({ how: "rebase" });
  const log = await git(["log", "--format=%s", `${base}..HEAD`], { cwd: path });
  expect(log).toBe("second.txt\nmine.txt\n");
  expect(await status()).toBe("");
  const listed = await git(["worktree", "list", "--porcelain"], { cwd: repository });
  expect(listed.match(/^worktree /gm)).toHaveLength(2);
});

it("moves a branch without commits of its own forward, and fetches the base", async () => {
  const { run, head, path, device, remote, base } = await behind();
  await git(["reset", "--quiet", "--hard", "HEAD~1"], { cwd: path });
  expect(await run()).toEqual({ head: base, base });
  const other = join(device.directory, "other");
  await git(["push", "--quiet", "origin", "main"], { cwd: path });
  await git(["clone", "--quiet", "--", remote, other]);
  const pushed = await commit(other, "pushed.txt");
  await git(["push", "--quiet", "origin", "main"], { cwd: other });
  expect(await run()).toEqual({ head: pushed, base: pushed });
  await rm(remote, { recursive: true });
  expect(await run()).toEqual({ head: await head(), base: pushed });
});

describe("refuses, with everything as it was", () => {
  const refused = async (one: Awaited<ReturnType<typeof setUp>>, reason: string, params: object = {}) => {
    const before = await fingerprint(one.path);
    const failure = await one.run(params).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(await fingerprint(one.path)).toBe(before);
    return { message: messageOf(failure) };
  };

  it.each(["merge", "rebase"])("conflicts of a %s, with the files", async (how) => {
    const one = await behind();
    await commit(one.path, "file-1.txt", "mine\n");
    await commit(one.repository, "file-1.txt", "theirs\n");
    await commit(one.path, "file-2.txt", "still needed\n");
    expect((await one.readStatus()).conflictsWithBase).toEqual(["file-1.txt", "file-2.txt"]);
    expect((await refused(one, "conflicts", { how })).message).toContain("file-1.txt");
    expect((await git(["worktree", "list"], { cwd: one.repository })).trim().split("\n")).toHaveLength(2);
  });

  it("uncommitted_work, head_moved, in_the_middle, branch_not_own", async () => {
    const one = await behind();
    await refused(one, "head_moved", { expectHead: "0".repeat(40) });
    await one.write("new.txt", "new\n");
    await refused(one, "uncommitted_work");
    await rm(join(one.path, "new.txt"));
    await git(["bisect", "start"], { cwd: one.path });
    await refused(one, "in_the_middle");
    await git(["bisect", "reset"], { cwd: one.path });
    await git(["checkout", "--quiet", "--detach"], { cwd: one.path });
    await refused(one, "branch_not_own");
  });

  it.each(["merge", "rebase"])("signing_failed of a %s, rather than an unsigned commit", async (how) => {
    const one = await behind();
    await git(["config", "commit.gpgSign", "true"], { cwd: one.repository });
    await git(["config", "gpg.program", "false"], { cwd: one.repository });
    expect((await refused(one, "signing_failed", { how })).message).toContain("gpg failed to sign the data");
  });

  it.each(["merge", "rebase"])("identity_missing for a %s, rather than a made-up address", async (how) => {
    const one = await behind();
    const anonymous = Object.fromEntries(
      Object.entries(gitEnv).filter(([name]) => !/^(GIT_(AUTHOR|COMMITTER)_|EMAIL$)/.test(name)),
    );
    one.device.git = createGit(anonymous);
    await refused(one, "identity_missing", { how });
  });

  it("base_gone", async () => {
    const one = await behind();
    await git(["checkout", "--quiet", "-b", "other"], { cwd: one.repository });
    await git(["branch", "--quiet", "-D", "main"], { cwd: one.repository });
    await git(["update-ref", "-d", "refs/remotes/origin/main"], { cwd: one.repository });
    await refused(one, "base_gone");
  });

  it("files_in_the_way: ignored files, and edits that git does not show", async () => {
    const one = await behind();
    await writeFile(join(one.repository, ".git", "info", "exclude"), "theirs.txt\n");
    await one.write("theirs.txt", "ignored\n");
    await refused(one, "files_in_the_way");
    await rm(join(one.path, "theirs.txt"));
    await git(["update-index", "--assume-unchanged", "file-2.txt"], { cwd: one.path });
    await one.write("file-2.txt", "local\n");
    expect((await refused(one, "files_in_the_way")).message).toContain("file-2.txt");
  });

  it("agent_working", async () => {
    const one = await behind();
    await startTestSession(one.device, one.id, {
      command: node("setInterval(() => {}, 1000)"),
      prompt: "typed",
    });
    await refused(one, "agent_working");
  });
});

it.each([
  ["before the first file was changed", async () => {}],
  [
    "between two files",
    async ({ write, path }: Awaited<ReturnType<typeof behind>>) => {
      await write("theirs.txt", "the");
      await rm(join(path, "file-2.txt"));
    },
  ],
])("an update that was cut off %s is finished", async (_when, change) => {
  const one = await behind();
  const { run, device, path, head, status, base } = one;
  const context = testContext();
  const note = async (value: unknown) => {
    await context.note(value);
    throw new Error("killed");
  };
  await expect(run({}, { ...context, note })).rejects.toThrow("killed");
  await change(one);
  const recovered = await updateFromBaseTool(device).recover?.(context.notes, testContext());
  expect(recovered).toContain(`The branch was updated to ${await head()}.`);
  expect(await git(["log", "-1", "--format=%P"], { cwd: path })).toContain(base);
  expect(await status()).toBe("");
});
