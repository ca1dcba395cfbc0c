import { rm } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, messageOf } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { withRemote } from "../../testing/change";
import { testContext } from "../../testing/deps";
import { commit, git } from "../../testing/repository";
import { getChangeStatusTool } from "./getChangeStatus";
import { pushBranchTool } from "./pushBranch";

/** How often Grove and a second pusher race. */
const RACES = Number(process.env.PUSH_RACES ?? 40);

async function setUp() {
  const one = await withRemote();
  const { device, id, path, branch, remote } = one;
  const run = async (params: object = {}, context = testContext()) =>
    pushBranchTool(device).run(
      deviceTools.push_branch.params.parse({ workspaceId: id, expectHead: await one.head(), ...params }),
      context,
    );
  const remoteHead = () => one.revision(`refs/heads/${branch}`, remote);
  /** Another clone that works on the same branch. */
  const other = join(device.directory, "other");
  const cloneOther = async () => {
    await git(["clone", "--quiet", "--", remote, other]);
    await git(["checkout", "--quiet", branch], { cwd: other });
  };
  const pushOther = () => git(["push", "--quiet", "origin", `HEAD:refs/heads/${branch}`], { cwd: other });
  await commit(path, "work.txt");
  return { ...one, run, remoteHead, other, cloneOther, pushOther };
}

const refused = async (pushing: Promise<unknown>, reason: string): Promise<{ message: string }> => {
  const failure = await pushing.then(
    () => expect.fail("It was pushed."),
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ reason });
  return { message: messageOf(failure) };
};

it("pushes the branch, and nothing else, again and again", async () => {
  const { run, head, remoteHead, branch, path, remote, device, id } = await setUp();
  await git(["tag", "-a", "-m", "tag", "v1"], { cwd: path });
  await git(["config", "push.followTags", "true"], { cwd: path });
  await git(["config", "remote.origin.push", "refs/heads/*:refs/heads/*"], { cwd: path });
  const made = { branch, remote: "origin", head: await head(), skippedHooks: [] };
  expect(await run()).toEqual(made);
  expect(await run()).toEqual(made);
  expect(await remoteHead()).toBe(await head());
  const refs = await git(["for-each-ref", "--format=%(refname)"], { cwd: remote });
  expect(refs.trim().split("\n").sort()).toEqual(["refs/heads/main", `refs/heads/${branch}`].sort());
  await commit(path, "more.txt");
  await run();
  const status = await getChangeStatusTool(device).run({ workspaceId: id }, testContext());
  expect(status).toMatchObject({ remote: "origin", remoteHead: await head(), head: await head(), ahead: 2 });
});

it("never forces to a remote that is a mirror", async () => {
  const { run, path, cloneOther, pushOther, other, remoteHead } = await setUp();
  await run();
  await cloneOther();
  const theirs = await commit(other, "theirs.txt");
  await pushOther();
  await commit(path, "mine.txt");
  await git(["config", "remote.origin.mirror", "true"], { cwd: path });
  await refused(run(), "non_fast_forward");
  expect(await remoteHead()).toBe(theirs);
});

describe("refuses", () => {
  it("head_moved and in_the_middle", async () => {
    const { run, path } = await setUp();
    await refused(run({ expectHead: "0".repeat(40) }), "head_moved");
    await git(["bisect", "start"], { cwd: path });
    await refused(run(), "in_the_middle");
  });

  it("branch_not_own, with another branch or none", async () => {
    const { run, path } = await setUp();
    await git(["checkout", "--quiet", "-b", "another"], { cwd: path });
    expect((await refused(run(), "branch_not_own")).message).toContain("'another' is checked out");
    await git(["checkout", "--quiet", "--detach"], { cwd: path });
    await refused(run(), "branch_not_own");
  });

  it("protected_branch: the default branch, a done branch, the base, and the remote's HEAD", async () => {
    const { run, device, projectId, branch, id, repository } = await setUp();
    const project = await device.cloud.getProject({ organizationId: device.organizationId, id: projectId });
    const workspace = (await device.store.workspace(id)) ?? expect.fail();
    const { addProject } = device.test;
    for (const fields of [{ defaultBranch: branch }, { doneBranches: ["main", branch] }]) {
      addProject({ ...project, ...fields });
      await refused(run(), "protected_branch");
    }
    addProject(project);
    await device.store.saveWorkspace({ ...workspace, baseBranch: branch });
    await refused(run(), "protected_branch");
    await device.store.saveWorkspace(workspace);
    const remoteHead = "refs/remotes/origin/HEAD";
    await git(["symbolic-ref", remoteHead, `refs/remotes/origin/${branch}`], { cwd: repository });
    await refused(run(), "protected_branch");
    await git(["symbolic-ref", "--delete", remoteHead], { cwd: repository });
    await run();
  });

  it("remote_mismatch: no remote has the project's address, or git would push elsewhere", async () => {
    const { run, device, projectId, path, remote } = await setUp();
    const project = await device.cloud.getProject({ organizationId: device.organizationId, id: projectId });
    device.test.addProject({ ...project, repoUrl: "https://code.example.com/acme/app.git" });
    await refused(run(), "remote_mismatch");
    await git(["remote", "add", "upstream", "git@code.example.com:acme/app"], { cwd: path });
    await git(["config", "remote.upstream.pushurl", remote], { cwd: path });
    expect((await refused(run(), "remote_mismatch")).message).toContain(`would push 'upstream' to ${remote}`);
  });

  it("non_fast_forward, which keeps the other person's commit", async () => {
    const { run, path, cloneOther, pushOther, other, remoteHead } = await setUp();
    await run();
    await cloneOther();
    const theirs = await commit(other, "theirs.txt");
    await pushOther();
    await commit(path, "mine.txt");
    const refs = () => git(["for-each-ref"], { cwd: path });
    const before = await refs();
    const { message } = await refused(run(), "non_fast_forward");
    expect(message).toContain(`is at ${theirs} by Test and has commits`);
    expect(await remoteHead()).toBe(theirs);
    expect(await refs()).toBe(before);
  });

  it("remote_refused, with the remote's output", async () => {
    const { run, hook, remote } = await setUp();
    await hook("pre-receive", "echo no secrets, please >&2; exit 1", remote);
    expect((await refused(run(), "remote_refused")).message).toContain("no secrets, please");
  });

  it("auth_failed", async () => {
    const { run, path } = await setUp();
    // git runs this instead of ssh.
    const ssh = "echo 'git@code.example.com: Permission denied (publickey).' >&2; exit 255;";
    await git(["config", "core.sshCommand", `sh -c "${ssh}"`], { cwd: path });
    await git(["remote", "set-url", "origin", "git@code.example.com:acme/app.git"], { cwd: path });
    expect((await refused(run(), "auth_failed")).message).toContain("Permission denied");
  });

  it("hook_failed, only if the device allows hooks", async () => {
    const { run, hook, allowScripts, remoteHead, head, path } = await setUp();
    await hook("pre-push", "echo tests fail >&2; exit 1");
    expect(await run()).toMatchObject({ skippedHooks: ["pre-push"] });
    const pushed = await head();
    await allowScripts();
    await commit(path, "more.txt");
    expect((await refused(run(), "hook_failed")).message).toContain("tests fail");
    expect(await remoteHead()).toBe(pushed);
  });

  it("lfs_missing, if files in Git LFS cannot be uploaded", async () => {
    const { run, path, remote, branch } = await setUp();
    await commit(path, ".gitattributes", "*.bin filter=lfs -text\n");
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 5\n`;
    await commit(path, "large.bin", pointer);
    // With git-lfs or without it: the machine does not have the object.
    await refused(run(), "lfs_missing");
    expect(await git(["for-each-ref", "refs/heads"], { cwd: remote })).not.toContain(branch);
  });
});

describe("forces only over what Grove has pushed", () => {
  it("after an amended commit", async () => {
    const { run, head, path, remoteHead } = await setUp();
    await run();
    const pushed = await head();
    await git(["commit", "--quiet", "--amend", "-m", "amended"], { cwd: path });
    await refused(run(), "non_fast_forward");
    await refused(run({ force: "lease" }), "lease_broken");
    await refused(run({ force: "lease", expectRemote: await head() }), "lease_broken");
    await run({ force: "lease", expectRemote: pushed });
    expect(await remoteHead()).toBe(await head());
  });

  it("never over someone else's commit, even if it was fetched", async () => {
    const { run, head, path, cloneOther, pushOther, other, remoteHead } = await setUp();
    await run();
    const pushed = await head();
    await cloneOther();
    const theirs = await commit(other, "theirs.txt");
    await pushOther();
    await git(["commit", "--quiet", "--amend", "-m", "amended"], { cwd: path });
    await git(["fetch", "--quiet", "origin"], { cwd: path });
    for (const expectRemote of [pushed, theirs])
      await refused(run({ force: "lease", expectRemote }), "lease_broken");
    expect(await remoteHead()).toBe(theirs);
  });

  it("never a branch that Grove has not pushed", async () => {
    const { run, head, path, branch } = await setUp();
    await git(["push", "--quiet", "origin", branch], { cwd: path });
    const expectRemote = await head();
    await git(["commit", "--quiet", "--amend", "-m", "amended"], { cwd: path });
    await refused(run({ force: "lease", expectRemote }), "lease_broken");
  });
});

it("races with a second pusher lose none of that person's commits", {
  timeout: 60_000 + RACES * 3_000,
}, async () => {
  const { run, head, path, cloneOther, pushOther, other, remote, remoteHead } = await setUp();
  await run();
  await cloneOther();
  const outcomes = { mine: 0, refused: 0, theirs: 0 };
  for (let n = 0; n < RACES; n++) {
    const base = await remoteHead();
    await git(["fetch", "--quiet", "origin"], { cwd: other });
    for (const cwd of [path, other]) await git(["reset", "--quiet", "--hard", base], { cwd });
    const forced = n % 2 === 1;
    await commit(path, `mine-${n}.txt`);
    const theirs = await commit(other, `theirs-${n}.txt`);
    const [mine, their] = await Promise.allSettled([
      run(forced ? { force: "lease", expectRemote: base } : {}),
      pushOther(),
    ]);
    if (mine.status === "fulfilled") outcomes.mine++;
    else {
      expect(mine.reason).toMatchObject({
        reason: expect.stringMatching(/^(non_fast_forward|lease_broken)$/),
      });
      outcomes.refused++;
    }
    if (their.status === "fulfilled") {
      outcomes.theirs++;
      expect(mine.status).toBe("rejected");
      expect(await remoteHead()).toBe(theirs);
      // The next lease needs a push of Grove's own.
      await git(["fetch", "--quiet", "origin"], { cwd: path });
      await git(["reset", "--quiet", "--hard", theirs], { cwd: path });
      await run();
    } else expect(await remoteHead()).toBe(await head());
  }
  expect(outcomes.mine + outcomes.theirs).toBe(RACES);
  expect(outcomes.refused).toBe(outcomes.theirs);
  await git(["fsck", "--strict"], { cwd: remote });
});

describe("after a crash, recover asks the remote", () => {
  /** Runs a push up to its note, as if the agent was killed right after it. */
  const cutOff = async ({ run }: Awaited<ReturnType<typeof setUp>>) => {
    const context = testContext();
    const note = async (value: unknown) => {
      await context.note(value);
      throw new Error("killed");
    };
    await expect(run({}, { ...context, note })).rejects.toThrow("killed");
    return context.notes;
  };

  it("not pushed, pushed, and unknown", async () => {
    const one = await setUp();
    const { device, branch, path, head, run, remote } = one;
    const notes = await cutOff(one);
    const recover = () => pushBranchTool(device).recover?.(notes, testContext());
    const commitId = await head();
    expect(await recover()).toBe(
      `The push of ${commitId} has not changed '${branch}' at 'origin', which is missing.`,
    );
    await git(["push", "--quiet", "origin", branch], { cwd: path });
    expect(await recover()).toBe(`'${branch}' was pushed to 'origin' and is at ${commitId}.`);
    // It counts as Grove's own push, so Grove may replace it.
    await git(["commit", "--quiet", "--amend", "-m", "amended"], { cwd: path });
    await run({ force: "lease", expectRemote: commitId });
    await rm(remote, { recursive: true });
    expect(await recover()).toContain("is unknown");
  });
});
