import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { listWorktrees } from "../../git/worktree/worktree";
import { isThere } from "../../lib/fileSystem";
import { git } from "../../testing/repository";
import { make, remove, setUp } from "../../testing/workspace";
import { prune } from "../workspace/prune";

const lock = (repository: string, path: string, ...reason: string[]) =>
  git(["worktree", "lock", ...reason, "--", path], { cwd: repository });

it("a locked worktree stays unless forced; the refusal has the reason and the command", async () => {
  const { device, repository, made, ids } = await setUp(["why", "plain"]);
  const [why, plain] = made;
  if (!why || !plain) throw expect.fail();
  await lock(repository, why.path, "--reason=on a removable disk");
  await lock(repository, plain.path);
  const [first, second] = await remove(device, ids);
  expect(first?.error?.reason).toBe("worktree_locked");
  expect(first?.error?.message).toContain('"why" is locked (on a removable disk)');
  expect(first?.error?.message).toContain(`git worktree unlock '${why.path}'`);
  expect(second?.error?.message).toContain('"plain" is locked.');
  for (const { path } of made) expect(await isThere(path)).toBe(true);

  await git(["worktree", "unlock", plain.path], { cwd: repository });
  expect((await remove(device, [plain.id]))[0]).toMatchObject({ worktreeRemoved: true, warnings: [] });
  const [forced] = await remove(device, [why.id], { force: true });
  expect(forced).toMatchObject({ worktreeRemoved: true });
  expect(forced?.warnings[0]).toContain("locked (on a removable disk)");
  expect(await listWorktrees(git, repository)).toHaveLength(1);
});

it("a locked worktree whose directory is missing keeps its record in deletions, creations and prunes", async () => {
  const { device, projectId, repository, made, ids } = await setUp(["one"]);
  const [one] = made;
  if (!one) throw expect.fail();
  await lock(repository, one.path);
  await rm(one.path, { recursive: true });
  expect((await remove(device, ids))[0]?.error?.reason).toBe("worktree_locked");
  const again = await make(device, projectId, "one");
  expect(again.path).not.toBe(one.path);
  const { signal } = new AbortController();
  const pruned = await prune(device, { deviceId: randomUUID(), dryRun: false, progress: () => {}, signal });
  expect(pruned).toMatchObject({ workspaces: [], leftAlone: [{ path: one.path }] });
  expect((await listWorktrees(git, repository)).map(({ path }) => path)).toContain(one.path);
});
