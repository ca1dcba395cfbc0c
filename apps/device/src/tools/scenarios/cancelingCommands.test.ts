import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools, type WorkspaceMade } from "@grove/schemas";
import { seeded } from "@grove/testing/random";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { createGit } from "../../git/run";
import { listWorktrees } from "../../git/worktree/worktree";
import { isThere } from "../../lib/fileSystem";
import { sessionProcesses } from "../../sessions/process/processes";
import { startTestDevice, testContext } from "../../testing/deps";
import { branches, commit, git, gitEnv } from "../../testing/repository";
import { createWorkspaceTool } from "../createWorkspace";
import { deleteWorkspaceTool } from "../deleteWorkspace";

/*
 * A command may be ended at any moment. Moments are counted by the steps of a command that take time: each call of git
 * and of the cloud, each note in the journal. The abort comes at one of them, or some milliseconds into it.
 */

const SEED = 20_261_121;
const ROUNDS = 16;
const TIME_LIMIT = 180_000;

async function setUp() {
  const device = await startTestDevice();
  const { id: projectId, path: repository } = await device.addRepository("app");
  // A checkout, a setup and a teardown that each take a moment.
  await git(["config", "filter.slow.smudge", "sleep 0.02; cat"], { cwd: repository });
  await commit(repository, ".gitattributes", "*.txt filter=slow\n");
  await commit(repository, ".gitignore", ".env\n");
  await commit(repository, ".worktreeinclude", ".env\n");
  await mkdir(join(repository, ".grove"));
  await commit(repository, ".grove/setup", "sleep 0.05 & sleep 0.05; touch made; wait\n");
  await commit(repository, ".grove/teardown", "sleep 0.05\n");
  await writeFile(join(repository, ".env"), "secret");
  await writeFile(device.home.configFile, '{ "allowRepositoryScripts": true }', { mode: 0o600 });

  let moments = 0;
  let atMoment: ((moment: number) => void) | undefined;
  const pass = () => atMoment?.(++moments);
  // All processes of the commands are found by this variable.
  const sessionId = randomUUID();
  const marked = { ...gitEnv, GROVE_SESSION_ID: sessionId };
  const plain = createGit(marked);
  device.programEnv = marked;
  device.git = (args, options) => {
    pass();
    return plain(args, options);
  };
  for (const path of ["project.get", "workspace.ensure", "workspace.delete"]) device.test.faults[path] = pass;

  /** Runs a command that is ended `delayMs` after the given moment, and returns how many moments there were. */
  const run = async <T>(
    work: (context: ReturnType<typeof testContext>) => Promise<T>,
    moment: number,
    delayMs: number,
  ) => {
    const abort = new AbortController();
    const context = testContext(abort.signal);
    const timers: NodeJS.Timeout[] = [];
    moments = 0;
    atMoment = (now) => {
      if (now === moment) timers.push(setTimeout(() => abort.abort(new Error("canceled")), delayMs));
    };
    try {
      const note = async (noted: unknown) => {
        pass();
        await context.note(noted);
      };
      return await work({ ...context, note });
    } catch (error) {
      expect(error).toEqual(new Error("canceled"));
      return undefined;
    } finally {
      atMoment = undefined;
      for (const timer of timers) clearTimeout(timer);
      await until(async () => (await sessionProcesses({ sessionId })).length === 0);
    }
  };
  const create = async (names: string[], context = testContext()): Promise<WorkspaceMade[]> =>
    (
      await createWorkspaceTool(device).run(
        { projectId, workspaces: names.map((name) => ({ name })) },
        context,
      )
    ).workspaces;
  const remove = async (workspaceIds: string[], context = testContext()) => {
    const params = deviceTools.delete_workspace.params.parse({
      workspaceIds,
      force: true,
      deleteBranch: true,
    });
    return (await deleteWorkspaceTool(device).run(params, context)).workspaces;
  };
  /** Expects that all of these exist, each complete, and nothing else. */
  const expectExactly = async (standing: readonly WorkspaceMade[]) => {
    const ids = standing.map(({ id }) => id).sort();
    expect(
      (await listWorktrees(git, repository))
        .slice(1)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(standing.map(({ path }) => path).sort());
    expect(await branches(repository)).toEqual([...standing.map(({ branch }) => branch), "main"].sort());
    expect((await device.store.workspaces()).map(({ id }) => id).sort()).toEqual(ids);
    expect([...device.test.workspaces.keys()].sort()).toEqual(ids);
    for (const { path = "" } of standing)
      for (const file of [".git", "file-1.txt", ".env", "made"])
        expect(await isThere(join(path, file))).toBe(true);
    const left = await readdir(device.home.worktreesDir);
    expect(left).toEqual(standing.length > 0 ? ["app"] : []);
  };
  return { run, create, remove, expectExactly, moments: () => moments };
}

const NEVER = 0;

it("create_workspace, ended at any moment, leaves nothing behind", { timeout: TIME_LIMIT }, async () => {
  const { run, create, remove, expectExactly, moments } = await setUp();
  const whole = (await run((context) => create(["one", "two"], context), NEVER, 0)) ?? expect.fail();
  const count = moments();
  await expectExactly(whole);
  await remove(whole.map(({ id = "" }) => id));
  await expectExactly([]);

  const random = seeded(SEED);
  let ended = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [moment, delayMs] = [1 + Math.floor(random() * count), Math.floor(random() * 30)];
    const made = await run((context) => create(["one", "two"], context), moment, delayMs);
    if (!made) ended++;
    try {
      await expectExactly(made ?? []);
    } catch (error) {
      throw new Error(`ended ${delayMs} ms into moment ${moment} of ${count}`, { cause: error });
    }
    await remove((made ?? []).map(({ id = "" }) => id).concat(made ? [] : randomUUID()));
  }
  expect(ended).toBeGreaterThan(ROUNDS / 2);
});

it("delete_workspace, ended at any moment, leaves each workspace complete or deletes it, and reports which", {
  timeout: TIME_LIMIT,
}, async () => {
  const { run, create, remove, expectExactly, moments } = await setUp();
  const first = await create(["one", "two"]);
  await run(
    (context) =>
      remove(
        first.map(({ id = "" }) => id),
        context,
      ),
    NEVER,
    0,
  );
  const count = moments();
  await expectExactly([]);

  const random = seeded(SEED);
  let made = await create(["one", "two"]);
  let ended = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const [moment, delayMs] = [1 + Math.floor(random() * count), Math.floor(random() * 30)];
    const ids = made.map(({ id = "" }) => id);
    const removed = await run((context) => remove(ids, context), moment, delayMs);
    const gone = new Set(
      (removed ?? []).filter(({ worktreeRemoved }) => worktreeRemoved).map(({ id }) => id),
    );
    if (gone.size < made.length) ended++;
    const standing = made.filter(({ id = "" }) => !gone.has(id));
    try {
      await expectExactly(standing);
      for (const item of removed ?? [])
        expect(item.error?.reason).toBe(item.worktreeRemoved ? undefined : "ended");
    } catch (error) {
      throw new Error(`ended ${delayMs} ms into moment ${moment} of ${count}`, { cause: error });
    }
    const names = ["one", "two"].filter((name) => !standing.some((workspace) => workspace.name === name));
    made = [...standing, ...(names.length > 0 ? await create(names) : [])];
  }
  expect(ended).toBeGreaterThan(ROUNDS / 4);
});
