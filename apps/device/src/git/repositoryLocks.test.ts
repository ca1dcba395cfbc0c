import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { branches, git, makeRepository } from "../testing/repository";
import { RepositoryLocks, whenUnlocked } from "./repositoryLocks";

it("work on one repository runs in order, one at a time; another repository does not wait", async () => {
  const locks = new RepositoryLocks();
  const seen: string[] = [];
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const first = locks.run("a", async () => {
    await gate;
    seen.push("first");
    throw new Error("failed");
  });
  const second = locks.run("a", async () => seen.push("second"));
  await locks.run("b", async () => seen.push("other"));
  open();
  await expect(first).rejects.toThrow("failed");
  await second;
  expect(seen).toEqual(["other", "first", "second"]);
});

it("a caller that gives up does not wait for the work before it, and does nothing later", async () => {
  const locks = new RepositoryLocks();
  let open: () => void = () => {};
  const first = locks.run("a", () => new Promise<void>((resolve) => (open = resolve)));
  const abort = new AbortController();
  let ran = false;
  const second = locks.run(
    "a",
    async () => {
      ran = true;
    },
    abort.signal,
  );
  abort.abort(new Error("canceled"));
  await expect(second).rejects.toThrow("canceled");
  open();
  await first;
  await locks.run("a", async () => {});
  expect(ran).toBe(false);
});

const signal = new AbortController().signal;

it("it waits for git's own lock, held by another program", async () => {
  const repository = await makeRepository(join(await temporaryDirectory(), "app"));
  const lock = join(repository, ".git", "refs", "heads", "new.lock");
  await writeFile(lock, "");
  let attempts = 0;
  await whenUnlocked(async () => {
    if (++attempts === 2) await rm(lock);
    await git(["branch", "new"], { cwd: repository });
  }, signal);
  expect(attempts).toBe(2);
  expect(await branches(repository)).toContain("new");
});

it("it waits for a worktree that another process is making, and of which git cannot read a file yet", async () => {
  const repository = await makeRepository(join(await temporaryDirectory(), "app"));
  const begun = join(repository, ".git", "worktrees", "begun");
  await mkdir(begun, { recursive: true });
  await writeFile(join(begun, "HEAD"), "ref: refs/heads/begun\n");
  await writeFile(join(begun, "gitdir"), `${join(repository, "..", "begun", ".git")}\n`);
  await writeFile(join(begun, "commondir"), "");
  let attempts = 0;
  await whenUnlocked(async () => {
    if (++attempts === 2) await writeFile(join(begun, "commondir"), "../..\n");
    await git(["worktree", "list"], { cwd: repository });
  }, signal);
  expect(attempts).toBe(2);
});

it("work that undoes something runs also after the abort", async () => {
  await expect(whenUnlocked(async () => "undone", AbortSignal.abort())).resolves.toBe("undone");
});

it("a lock that stays is reported by its file", async () => {
  const repository = await makeRepository(join(await temporaryDirectory(), "app"));
  const lock = join(repository, ".git", "refs", "heads", "new.lock");
  await writeFile(lock, "");
  await expect(
    whenUnlocked(() => git(["branch", "new"], { cwd: repository }), signal, 0),
  ).rejects.toMatchObject({
    reason: "repository_locked",
    message: expect.stringContaining(lock),
  });
});

it("other failures are not retried, and an abort ends the waiting", async () => {
  const repository = await makeRepository(join(await temporaryDirectory(), "app"));
  await expect(whenUnlocked(() => git(["branch", "main"], { cwd: repository }), signal)).rejects.toThrow(
    "already exists",
  );
  await writeFile(join(repository, ".git", "refs", "heads", "new.lock"), "");
  const abort = new AbortController();
  const waiting = whenUnlocked(async () => {
    abort.abort(new Error("canceled"));
    await git(["branch", "new"], { cwd: repository });
  }, abort.signal);
  await expect(waiting).rejects.toThrow();
});
