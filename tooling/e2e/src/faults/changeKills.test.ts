import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isSettled } from "@grove/schemas";
import { succeed } from "@grove/testing/process";
import { seeded } from "@grove/testing/random";
import { until } from "@grove/testing/until";
import { beforeAll, expect, it } from "vitest";
import { createRepository } from "../support/repository";
import type { DeviceMachine } from "./world/device";
import { useScene } from "./world/scene";

/** How often the device agent is killed at each of the seven points, and while it makes or restores a restore point. */
const KILLS = Number(process.env.CHANGE_KILLS ?? 1);
const TIMEOUT_MS = 120_000 + KILLS * 60_000;

const scene = useScene();
let device: DeviceMachine;
let workspace: { id: string; path: string; branch: string };
let remote: string;
let files = 0;

const git = (...args: string[]) => {
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  return succeed(["git", ...identity, ...args], { cwd: workspace.path, env: scene.machine.env });
};
const head = async () => (await git("rev-parse", "HEAD")).trim();
const remoteHead = async () => (await git("ls-remote", remote, workspace.branch)).slice(0, 40);

const execute = (
  tool: "create_workspace" | "commit_workspace" | "push_branch" | "make_point" | "restore_point",
  params: Record<string, unknown>,
) => {
  const { organizationId } = scene.cloud;
  return scene.cloud.client().agent.execute.mutate({
    organizationId,
    deviceId: device.id,
    tool,
    params,
    ifOffline: "queue",
    waitMs: 0,
  });
};

const settled = (id: string) => {
  const { organizationId } = scene.cloud;
  const get = () => scene.cloud.client().agent.getCommand.query({ organizationId, id, waitMs: 5_000 });
  return until(async () => {
    const command = await get();
    return isSettled(command.status) ? command : undefined;
  }, `command ${id} is settled`);
};

beforeAll(async () => {
  const { machine } = scene;
  device = await scene.device("device", { hasShortPauses: true });
  const repository = await createRepository(machine, "garden");
  for (const [key, value] of Object.entries({ "user.name": "Ada", "user.email": "ada@example.com" }))
    await repository.git("config", key, value);
  remote = join(machine.root, "garden.git");
  await repository.git("init", "--quiet", "--bare", remote);
  await repository.git("remote", "add", "origin", remote);
  await repository.git("push", "--quiet", "origin", "main");
  await device.connect();
  const { id: projectId } = await device.addProject(repository.path);
  const { id } = await execute("create_workspace", { projectId, workspaces: [{ name: "killed" }] });
  const { result } = await settled(id);
  [workspace] = (result as { workspaces: [typeof workspace] }).workspaces;
});

/** A command in progress. */
interface Running {
  id: string;
  /** The branch's commit, and the remote's, before it. */
  before: string;
}

/** The journal of the device agent, from the first line about a command. */
async function journalOf({ id }: Running): Promise<string> {
  const journal = await readFile(device.journal, "utf8").catch(() => "");
  const begin = journal.indexOf(id);
  return begin === -1 ? "" : journal.slice(begin);
}

/** The points at which the device agent is killed, in their order. */
const commitPoints: Record<string, (running: Running) => Promise<boolean>> = {
  "it was taken": async (running) => (await journalOf(running)) !== "",
  "it was begun": async (running) => (await journalOf(running)).includes("committingIn"),
  "its commit was stored": async (running) => (await journalOf(running)).includes('"stored"'),
  "the branch has moved": async ({ before }) => (await head()) !== before,
};
const pushPoints: typeof commitPoints = {
  "it was taken": commitPoints["it was taken"] ?? expect.unreachable(),
  "it was begun": async (running) => (await journalOf(running)).includes('"pushing"'),
  "the remote has moved": async ({ before }) => (await remoteHead()) !== before,
};

/** Kills the device agent at a point of a command, starts it again, and returns the command's end. */
async function killAt(running: Running, hasReached: (running: Running) => Promise<boolean>) {
  // Without a pause, since the next point is passed a moment later. A command that was faster has passed them all.
  while (!(await hasReached(running))) await nextTurn();
  await device.kill();
  device.start();
  return settled(running.id);
}

/** The result of a command, or what its device has found of the work of one that was interrupted. */
const claimOf = ({ status, error, result }: Awaited<ReturnType<typeof settled>>) => {
  if (status === "succeeded") return { result: result as Record<string, unknown> };
  expect(status).toBe("failed");
  expect(error?.reason).toBe("interrupted");
  return { message: error?.message ?? "" };
};

async function changeFile(): Promise<void> {
  files += 1;
  await writeFile(join(workspace.path, `${files}.txt`), `${files}\n`);
}

/** Runs a command to its end, without a kill. */
async function complete(
  tool: Parameters<typeof execute>[0],
  params: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const { id } = await execute(tool, params);
  const { status, result } = await settled(id);
  expect(status).toBe("succeeded");
  return result as Record<string, unknown>;
}

it.each(Object.entries(commitPoints))(
  "a commit is made or not, as its device says, when the agent is killed after %s",
  async (_, point) => {
    for (let n = 0; n < KILLS; n++) {
      const before = await head();
      await changeFile();
      const params = { workspaceId: workspace.id, message: `Change ${files}` };
      const { id } = await execute("commit_workspace", params);
      const { result, message } = claimOf(await killAt({ id, before }, point));
      const after = await head();
      if (result) expect(result.commit).toBe(after);
      else if (message?.includes("Nothing was committed.")) expect(after).toBe(before);
      else expect(message).toContain(`The commit ${after} was made.`);
      expect((await git("rev-list", "--count", `${before}..HEAD`)).trim()).toBe(after === before ? "0" : "1");
      if (after === before) await complete("commit_workspace", params);
      expect(await git("status", "--porcelain")).toBe("");
    }
    await git("fsck", "--strict");
  },
  TIMEOUT_MS,
);

it.each(Object.entries(pushPoints))(
  "a branch is pushed or not, as its device says, when the agent is killed after %s",
  async (_, point) => {
    for (let n = 0; n < KILLS; n++) {
      const before = await remoteHead();
      await changeFile();
      await complete("commit_workspace", { workspaceId: workspace.id, message: `Change ${files}` });
      const commit = await head();
      const params = { workspaceId: workspace.id, expectHead: commit };
      const { id } = await execute("push_branch", params);
      const { result, message } = claimOf(await killAt({ id, before }, point));
      const after = await remoteHead();
      if (result) expect([result.head, after]).toEqual([commit, commit]);
      else if (after === commit) expect(message).toContain(`is at ${commit}`);
      else
        expect([after, message]).toEqual([
          before,
          expect.stringMatching(/has not changed|Nothing was pushed/),
        ]);
      if (after === before) await complete("push_branch", params);
    }
  },
  TIMEOUT_MS,
);

const random = seeded(29);

/** Kills the device agent some moments after it has taken a command, starts it again, and returns the command's end. */
const killDuring = (id: string, moments: number) => {
  let left = Math.floor(random() * moments);
  return killAt({ id, before: "" }, async (running) => (await journalOf(running)) !== "" && left-- <= 0);
};

/** All files of the workspace, and what git says of them. */
const contents = async () => {
  const listed = await git("ls-files", "--cached", "--others", "--exclude-standard", "-z");
  const names = [...new Set(listed.split("\0"))].filter((name) => name !== "");
  const read = (name: string) => readFile(join(workspace.path, name), "utf8").catch(() => "missing");
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)])));
};

/** Git's own files, which a restore point does not change. */
const gitState = async () => {
  const directory = (await git("rev-parse", "--absolute-git-dir")).trim();
  return Promise.all(
    ["index", "HEAD", "../../config"].map((name) => readFile(join(directory, name), "latin1")),
  );
};

async function expectWholePoints(): Promise<void> {
  await git("fsck", "--strict", "--no-dangling");
  const refs = await git("for-each-ref", "--format=%(objectname)", "refs/grove/");
  for (const point of refs.split("\n").filter(Boolean)) await git("ls-tree", "-r", point);
}

it(
  "a restore point is whole or missing, and changes nothing else, when the agent is killed while it makes one",
  async () => {
    await changeFile();
    await git("add", "--all");
    for (let n = 0; n < KILLS; n++) {
      await changeFile();
      const before = await gitState();
      const { id } = await execute("make_point", { workspaceId: workspace.id });
      claimOf(await killDuring(id, 300));
      expect(await gitState()).toEqual(before);
      await expectWholePoints();
      const { point } = await complete("make_point", { workspaceId: workspace.id });
      expect(await git("show", `${point}:${files}.txt`)).toBe(`${files}\n`);
    }
  },
  TIMEOUT_MS,
);

it(
  "the files are those of the point or those before, as the device says, when the agent is killed during an undo",
  async () => {
    for (let n = 0; n < KILLS; n++) {
      const { point } = await complete("make_point", { workspaceId: workspace.id });
      const wanted = await contents();
      await changeFile();
      await rm(join(workspace.path, "README.md"), { force: true });
      const changed = await contents();
      const params = { workspaceId: workspace.id, point, mode: "files", expectHead: await head() };
      const { id } = await execute("restore_point", params);
      const { result, message } = claimOf(await killDuring(id, 600));
      const isRestored = result !== undefined || message?.includes("The point was restored.");
      expect(await contents()).toEqual(isRestored ? wanted : changed);
      if (!isRestored) expect(message).toContain("othing was restored");
      await expectWholePoints();
      // The undone files are a restore point themselves.
      const all = await git("for-each-ref", "--format=%(refname)", `refs/grove/${workspace.id}/turn`);
      const trees = await Promise.all(
        all
          .split("\n")
          .filter(Boolean)
          .map((ref) => git("ls-tree", "--name-only", ref)),
      );
      if (isRestored) expect(trees.some((tree) => tree.split("\n").includes(`${files}.txt`))).toBe(true);
    }
  },
  TIMEOUT_MS,
);
