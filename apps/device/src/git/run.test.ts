import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { commit, git, gitEnv, makeRepository } from "../testing/repository";
import { createGit, GitError, GitMissingError } from "./run";

it("a failure carries git's own words, without credentials", async () => {
  const failing = git(["ls-remote", "https://user:hunter2@127.0.0.1:1/app.git"]);
  await expect(failing).rejects.toThrow(GitError);
  await expect(failing).rejects.toThrow(/^git ls-remote: fatal: .*127\.0\.0\.1/);
  await expect(failing).rejects.not.toThrow(/hunter2/);
});

it.each([
  { program: "no-such-git-lfs filter-process", cause: /no-such-git-lfs: (command )?not found/ },
  { program: "sh -c 'echo batch response: quota exceeded >&2; exit 1'", cause: /quota exceeded/ },
  { program: "sh -c 'echo write x: no space left on device >&2; exit 1'", cause: /no space left on device/ },
])("the error of a failed filter names its cause: $cause", async ({ program, cause }) => {
  const repository = await makeRepository(join(await temporaryDirectory(), "app"));
  await commit(repository, ".gitattributes", "*.bin filter=lfs\n");
  await commit(repository, "a.bin", "large");
  await git(["config", "filter.lfs.process", program], { cwd: repository });
  await git(["config", "filter.lfs.required", "true"], { cwd: repository });
  const tree = join(repository, "..", "tree");
  const failing = git(["worktree", "add", "--quiet", "-b", "x", "--", tree], { cwd: repository });
  await expect(failing).rejects.toThrow(cause);
});

it("the message of a failure is bounded, and contains its first cause", () => {
  const noise = Array.from({ length: 500 }, (_, n) => `error: could not write file ${n} ${"x".repeat(500)}`);
  const stderr = [
    "Updating files:  10% (1/10)",
    "error: No space left on device",
    ...noise,
    "fatal: gave up",
  ];
  const { message } = new GitError(["checkout"], 128, stderr.join("\n"));
  expect(message).toMatch(/^git checkout: error: No space left on device .*fatal: gave up$/);
  expect(message.length).toBeLessThan(2_000);
});

it("the agent's own environment does not lead git elsewhere", async () => {
  const directory = await temporaryDirectory();
  const [one, other] = await Promise.all(
    ["one", "other"].map((name) => makeRepository(join(directory, name))),
  );
  const env = {
    ...gitEnv,
    GIT_DIR: join(other ?? "", ".git"),
    GIT_WORK_TREE: other,
    GIT_INDEX_FILE: "/nowhere",
  };
  expect((await createGit(env)(["rev-parse", "--show-toplevel"], { cwd: one })).trim()).toBe(one);
});

it("only allowed transports are used", async () => {
  const directory = await temporaryDirectory();
  const source = await makeRepository(join(directory, "source"));
  const clone = (protocols: "https:ssh" | "https:ssh:file") =>
    git(["clone", "--quiet", "--", `file://${source}`, join(directory, protocols)], { protocols });
  await expect(clone("https:ssh")).rejects.toThrow("transport 'file' not allowed");
  await clone("https:ssh:file");
  await expect(git(["ls-remote", "--", "ext::sh -c true"])).rejects.toThrow("not allowed");
});

it("a machine without git is reported as such", async () => {
  await expect(createGit({ PATH: "/nowhere" })(["--version"])).rejects.toThrow(GitMissingError);
  await expect(git(["status"], { cwd: "/no/such/directory" })).rejects.toThrow("ENOENT");
});
