import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, messageOf } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { createGit } from "../../git/run";
import { testContext } from "../../testing/deps";
import { commit, git, gitEnv } from "../../testing/repository";
import { fingerprint, workspaceWithRemote } from "../../testing/workspaceWithRemote";
import { getWorkspaceDiffTool } from "../getWorkspaceDiff";
import { listPointsTool } from "../points/listPoints";
import { commitWorkspaceTool } from "./commitWorkspace";
import { getChangeStatusTool } from "./getChangeStatus";

async function setUp() {
  const one = await workspaceWithRemote({ commits: 2 });
  const { device, id, path } = one;
  const run = (params: object = {}, context = testContext()) =>
    commitWorkspaceTool(device).run(
      deviceTools.commit_workspace.params.parse({ workspaceId: id, message: "Work", ...params }),
      context,
    );
  const show = (format: string) => git(["log", "-1", `--format=${format}`], { cwd: path });
  const readStatus = () => getChangeStatusTool(device).run({ workspaceId: id }, testContext());
  return { ...one, run, show, readStatus };
}

it("commits changed, new and deleted files, but no ignored ones, with the owner's identity", async () => {
  const { run, write, path, show, status, head, branch, readStatus } = await setUp();
  const before = await head();
  await write(".gitignore", "*.log\n");
  await write("debug.log", "ignored\n");
  await write("file-1.txt", "changed\n");
  await write("#new.txt", "new\n");
  await rm(join(path, "file-2.txt"));
  expect(await readStatus()).toMatchObject({ uncommittedFiles: 4, suggestedMessage: "Update 4 files" });
  const made = await run({ message: "\n#12: a subject  \n\nBody\n\n\n" });
  expect(made).toEqual({ commit: await head(), branch, files: 4, skippedHooks: [], skipped: [] });
  expect(await show("%an <%ae>%n%B")).toBe("Test <test@example.com>\n#12: a subject\n\nBody\n\n");
  expect((await show("%P")).trim()).toBe(before);
  expect(await status()).toBe("");
  expect(await readFile(join(path, "debug.log"), "utf8")).toBe("ignored\n");
  expect(await readStatus()).toMatchObject({ uncommittedFiles: 0, ahead: 1, behind: 0 });
});

it("counts a renamed file as one, like the diff, and names it in the message", async () => {
  const { run, path, device, id, readStatus } = await setUp();
  await rename(join(path, "file-1.txt"), join(path, "renamed.txt"));
  const message = "Rename file-1.txt to renamed.txt";
  expect(await readStatus()).toMatchObject({ uncommittedFiles: 1, suggestedMessage: message });
  const params = deviceTools.get_workspace_diff.params.parse({ workspaceId: id, against: "head" });
  expect((await getWorkspaceDiffTool(device).run(params, testContext())).filesTotal).toBe(1);
  expect((await run()).files).toBe(1);
  const { points } = await listPointsTool(device).run({ workspaceId: id }, testContext());
  expect(points[0]).toMatchObject({ kind: "turn", files: 1 });

  await mkdir(join(path, "src"));
  await rename(join(path, "renamed.txt"), join(path, "src", "renamed.txt"));
  expect(await readStatus()).toMatchObject({ uncommittedFiles: 1, suggestedMessage: "Move renamed.txt" });
  await rename(join(path, "file-2.txt"), join(path, "src", "file-2.txt"));
  expect(await readStatus()).toMatchObject({
    uncommittedFiles: 2,
    suggestedMessage: "Rename 2 files in src",
  });
});

it("makes a restore point of the files first, with what was staged", async () => {
  const { run, write, device, id, path } = await setUp();
  await write("file-1.txt", "changed\n");
  await git(["add", "--all"], { cwd: path });
  await run();
  const { points } = await listPointsTool(device).run({ workspaceId: id }, testContext());
  expect(points).toMatchObject([{ kind: "turn", files: 1 }, { kind: "fork" }]);
});

it("leaves out edits of files that the owner has marked as unchanged", async () => {
  const { run, write, path } = await setUp();
  await git(["update-index", "--assume-unchanged", "file-1.txt"], { cwd: path });
  await write("file-1.txt", "local\n");
  await write("new.txt", "new\n");
  expect((await run()).files).toBe(1);
  expect(await git(["show", "HEAD:file-1.txt"], { cwd: path })).toBe("file-1.txt\n");
  expect(await readFile(join(path, "file-1.txt"), "utf8")).toBe("local\n");
  expect(await git(["ls-files", "-v", "file-1.txt"], { cwd: path })).toBe("h file-1.txt\n");
});

it("names files that are too large, and leaves them uncommitted", async () => {
  const { run, write, status } = await setUp();
  await write("large.bin", "x".repeat(21 * 1024 * 1024));
  await write("new.txt", "new\n");
  const { skipped } = await run();
  expect(skipped).toEqual([{ path: "large.bin", why: "too_large" }]);
  expect(await status()).toBe("?? large.bin\n");
});

describe("refuses, and changes nothing", () => {
  const refused = async (one: Awaited<ReturnType<typeof setUp>>, params: object, reason: string) => {
    const before = await fingerprint(one.path);
    const failure = await one.run(params).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason });
    expect(await fingerprint(one.path)).toBe(before);
    return { message: messageOf(failure) };
  };

  it("nothing_to_commit", async () => {
    await refused(await setUp(), {}, "nothing_to_commit");
  });

  it("tree_changed, if the files are not those that were shown", async () => {
    const one = await setUp();
    await one.write("new.txt", "shown\n");
    const { tree } = await one.readStatus();
    await one.write("new.txt", "not shown\n");
    await refused(one, { expectTree: tree }, "tree_changed");
    await one.write("new.txt", "shown\n");
    await one.run({ expectTree: tree });
  });

  it("in_the_middle, branch_not_own and conflicts", async () => {
    const one = await setUp();
    const { path, write } = one;
    await write("new.txt", "new\n");
    await git(["bisect", "start"], { cwd: path });
    await refused(one, {}, "in_the_middle");
    await git(["bisect", "reset"], { cwd: path });
    await git(["checkout", "--quiet", "--detach"], { cwd: path });
    await refused(one, {}, "branch_not_own");
    await git(["checkout", "--quiet", one.branch], { cwd: path });
    await rm(join(path, "new.txt"));
    await write("file-1.txt", "stashed\n");
    await git(["stash"], { cwd: path });
    await commit(path, "file-1.txt", "committed\n");
    await git(["stash", "pop"], { cwd: path }).catch(() => {});
    await refused(one, {}, "conflicts");
  });

  it("identity_missing, rather than a made-up address", async () => {
    const one = await setUp();
    const anonymous = Object.fromEntries(
      Object.entries(gitEnv).filter(([name]) => !/^(GIT_(AUTHOR|COMMITTER)_|EMAIL$)/.test(name)),
    );
    one.device.git = createGit(anonymous);
    await one.write("new.txt", "new\n");
    await refused(one, {}, "identity_missing");
  });

  it("signing_failed, rather than an unsigned commit", async () => {
    const one = await setUp();
    await git(["config", "commit.gpgSign", "true"], { cwd: one.repository });
    await git(["config", "gpg.program", "false"], { cwd: one.repository });
    await one.write("new.txt", "new\n");
    const { message } = await refused(one, {}, "signing_failed");
    expect(message).toContain("gpg failed to sign the data");
  });

  it("hook_failed, with the hook's output", async () => {
    const one = await setUp();
    await one.allowScripts();
    await one.hook("pre-commit", "echo lint: line 3 is too long; exit 3");
    await one.write("new.txt", "new\n");
    const { message } = await refused(one, {}, "hook_failed");
    expect(message).toBe(
      "The hook pre-commit ended with exit code 3. Its last output:\nlint: line 3 is too long",
    );
    await one.hook("pre-commit", "exit 0");
    await one.hook("commit-msg", 'grep -q "^JIRA-" "$1" || { echo no ticket; exit 1; }');
    expect((await refused(one, {}, "hook_failed")).message).toContain("The hook commit-msg");
    await one.run({ message: "JIRA-1: work" });
  });

  it("hook_failed, if it does not end in time", async () => {
    const one = await setUp();
    await one.allowScripts(1);
    await one.hook("pre-commit", "echo begun; sleep 600");
    await one.write("new.txt", "new\n");
    expect((await refused(one, {}, "hook_failed")).message).toContain("did not end within 1 s");
  });

  it("head_moved, if an agent commits while a hook runs", async () => {
    const one = await setUp();
    await one.allowScripts();
    await one.hook(
      "pre-commit",
      "unset GIT_INDEX_FILE; git -c core.hooksPath=/dev/null commit -q --allow-empty -m agent",
    );
    await one.write("new.txt", "new\n");
    await expect(one.run()).rejects.toMatchObject({ reason: "head_moved" });
    expect(await one.show("%s")).toBe("agent\n");
    expect(await one.status()).toBe("?? new.txt\n");
  });
});

it("runs hooks only if the device allows it, and names those that it skips", async () => {
  const { run, write, hook, allowScripts, path, show } = await setUp();
  await hook("pre-commit", "echo formatted > new.txt; git add new.txt; echo formatting");
  await hook("prepare-commit-msg", 'echo "Signed-off-by: me" >> "$1"');
  await hook("post-commit", "echo done; exit 1");
  await write("new.txt", "new\n");
  expect((await run()).skippedHooks).toEqual(["pre-commit", "prepare-commit-msg", "post-commit"]);
  expect(await git(["show", "HEAD:new.txt"], { cwd: path })).toBe("new\n");
  await allowScripts();
  await write("new.txt", "newer\n");
  const context = testContext();
  expect((await run({}, context)).skippedHooks).toEqual([]);
  expect(await git(["show", "HEAD:new.txt"], { cwd: path })).toBe("formatted\n");
  expect(await show("%B")).toBe("Work\nSigned-off-by: me\n\n");
  expect(context.lines).toContain("pre-commit: formatting");
  expect(await git(["status", "--porcelain"], { cwd: path })).toBe("");
});

it("runs the hooks of core.hooksPath", async () => {
  const { run, write, hook, allowScripts, repository, device } = await setUp();
  const elsewhere = join(device.directory, "shared");
  await git(["config", "core.hooksPath", join(elsewhere, "hooks")], { cwd: repository });
  await hook("pre-commit", "echo from elsewhere; exit 1", elsewhere);
  await allowScripts();
  await write("new.txt", "new\n");
  await expect(run()).rejects.toThrow("from elsewhere");
});

describe("after a crash, recover reports whether the commit was made", () => {
  it("before it was stored, and before the branch moved: not made", async () => {
    const { run, write, device, head, status } = await setUp();
    await write("new.txt", "new\n");
    const before = await head();
    for (const note of [1, 2]) {
      const context = testContext();
      const killed = {
        ...context,
        note: async (value: unknown) => {
          await context.note(value);
          if (context.notes.length === note) throw new Error("killed");
        },
      };
      await expect(run({}, killed)).rejects.toThrow("killed");
      const recovered = commitWorkspaceTool(device).recover?.(context.notes, context);
      expect(await recovered).toBe("Nothing was committed.");
      expect([await head(), await status()]).toEqual([before, "?? new.txt\n"]);
    }
  });

  it("after the branch has moved: made, and the index follows", async () => {
    const { run, write, device, head, status, path } = await setUp();
    await write("new.txt", "new\n");
    const context = testContext();
    const { commit: made } = await run({}, context);
    // As a crash leaves it that comes before the index was changed.
    await git(["read-tree", "--reset", "HEAD~1"], { cwd: path });
    expect(await status()).not.toBe("");
    const recovered = await commitWorkspaceTool(device).recover?.(context.notes, context);
    expect(recovered).toBe(`The commit ${made} was made.`);
    expect([await head(), await status()]).toEqual([made, ""]);
  });
});
