import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { git, gitEnv, makeRepository } from "../testing/repository";
import { createGit, GitError, GitMissingError } from "./run";

it("a failure carries git's own words, without credentials", async () => {
  const failing = git(["ls-remote", "https://user:hunter2@127.0.0.1:1/app.git"]);
  await expect(failing).rejects.toThrow(GitError);
  await expect(failing).rejects.toThrow(/^git ls-remote: fatal: .*127\.0\.0\.1/);
  await expect(failing).rejects.not.toThrow(/hunter2/);
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

it("a machine without git says so", async () => {
  await expect(createGit({ PATH: "/nowhere" })(["--version"])).rejects.toThrow(GitMissingError);
  await expect(git(["status"], { cwd: "/no/such/directory" })).rejects.toThrow("ENOENT");
});
