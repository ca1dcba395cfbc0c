import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useApi } from "@grove/test-api";
import { until } from "@grove/testing/until";
import { describe, expect, it } from "vitest";
import { listWorktrees } from "../git/worktree/worktree";
import { isThere } from "../lib/fileSystem";
import { groveDevice, registerMachine, startGroveDevice } from "../testing/program";
import { branches, commit, git, makeRepository } from "../testing/repository";

const api = useApi();

async function setUp() {
  const machine = await registerMachine(api);
  const path = await makeRepository(join(machine.directory, "Äpp"));
  const added = await groveDevice(["project", "add", "--json", path], machine.env);
  const project: { id: string; slug: string } = JSON.parse(added.stdout);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await groveDevice([...args, "--json"], machine.env);
    return { code, stderr, answer: stdout === "" ? undefined : JSON.parse(stdout) };
  };
  const { client, organizationId } = machine;
  const registered = async () =>
    (await client.workspace.list.query({ organizationId })).map(({ name }) => name);
  return { machine, repository: path, project, run, registered };
}

describe("workspace", () => {
  it("a worktree made by hand appears in the cloud, and disappears when it is deleted", async () => {
    const { machine, repository, project, run, registered } = await setUp();
    const made = await run("workspace", "create", project.slug, "--name", "By hand", "--branch", "feature/x");
    expect(made).toMatchObject({
      code: 0,
      answer: { name: "By hand", branch: "feature/x", alreadyExisted: false },
    });
    expect(await isThere(join(made.answer.path, "file-1.txt"))).toBe(true);
    const { client, organizationId, deviceId } = machine;
    expect(await client.workspace.list.query({ organizationId, deviceId })).toMatchObject([
      { id: made.answer.id, name: "By hand", projectId: project.id, createdBy: null },
    ]);
    expect((await run("workspace", "list")).answer).toMatchObject([
      { id: made.answer.id, dirty: false, active: false },
    ]);

    await writeFile(join(made.answer.path, "work"), "");
    const refused = await run("workspace", "delete", "By hand");
    expect(refused).toMatchObject({ code: 1, answer: [{ error: { reason: "unsaved_work" } }] });
    const forced = await groveDevice(
      ["workspace", "delete", "By hand", "--force", "--delete-branch"],
      machine.env,
    );
    expect([forced.code, forced.stdout]).toEqual([
      0,
      expect.stringMatching(
        `^Workspace By hand deleted, and its branch.\nIts work is kept until [0-9-]{10}: grove-device rescue ${made.answer.id}\n$`,
      ),
    ]);
    expect(await listWorktrees(git, repository)).toHaveLength(1);
    expect(await branches(repository)).toEqual(["main"]);
    expect(await registered()).toEqual([]);
  });

  it("the work of a deleted worktree is listed, and brought back as a branch", async () => {
    const { machine, repository, project, run } = await setUp();
    const made = await run("workspace", "create", project.slug, "--name", "login");
    await writeFile(join(made.answer.path, "work.txt"), "work\n");
    await run("workspace", "delete", "login", "--force", "--delete-branch");
    expect((await run("rescue")).answer).toMatchObject([
      { workspaceId: made.answer.id, name: "login", branch: "grove/login", uncommitted: true },
    ]);
    const listed = await groveDevice(["rescue"], machine.env);
    expect(listed.stdout).toMatch(/^ID +NAME +BRANCH +DELETED +KEPT UNTIL\n.* login +grove\/login /);

    const rescued = await groveDevice(["rescue", "login"], machine.env);
    expect(rescued.stdout).toContain("Branch grove/rescued-login has the work of workspace login.\n");
    expect(await git(["show", "grove/rescued-login:work.txt"], { cwd: repository })).toBe("work\n");
    const directory = join(machine.directory, "back");
    expect((await run("rescue", made.answer.id, "--to", directory)).answer).toMatchObject({
      branch: "grove/rescued-login-2",
      directory,
    });
    expect(await isThere(join(directory, "work.txt"))).toBe(true);
    await run("rescue", "login", "--to", "mine");
    expect(await branches(repository)).toEqual([
      "grove/rescued-login",
      "grove/rescued-login-2",
      "main",
      "mine",
    ]);
    expect(await run("rescue", "other")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("`grove-device rescue` lists what is kept"),
    });
  });

  it("errors for missing projects and workspaces suggest what to do", async () => {
    const { project, run } = await setUp();
    expect(await run("workspace", "create", "nothing")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`It has: ${project.slug}`),
    });
    expect(await run("workspace", "delete", "nothing")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("workspace list"),
    });
    const base = await run("workspace", "create", project.id, "--base", "mian");
    expect(base).toMatchObject({ code: 1, answer: { error: { reason: "base_not_found" } } });
    const branch = await run("workspace", "create", project.id, "--branch", "-x");
    expect(branch).toMatchObject({ code: 1, stderr: expect.stringContaining("branchName") });
  });

  it("hidden characters of paths, branches and unknown names are marked for people, not for scripts", async () => {
    const { machine, project, run } = await setUp();
    const made = await run("workspace", "create", project.slug, "--name", "fern");
    // No tool makes such a branch, but git does.
    await git(["switch", "--create", "x\u202ey\u{e0041}"], { cwd: made.answer.path });

    const workspaces = await groveDevice(["workspace", "list"], machine.env);
    expect(workspaces.stdout).toContain("  x⟨RLO⟩y⟨U+E0041⟩  ");
    expect((await run("workspace", "list")).answer).toMatchObject([{ branch: "x\u202ey\u{e0041}" }]);
    const missing = await groveDevice(
      ["project", "add", join(machine.directory, "a\u200bb\rc")],
      machine.env,
    );
    expect(missing.stderr).toContain("/a⟨ZWSP⟩b␍c");
    const unknown = await groveDevice(["workspace", "delete", "no\u2066thing"], machine.env);
    expect(unknown.stderr).toContain('no workspace "no⟨LRI⟩thing"');
  });

  it("worktrees made by several processes together are each complete, and none takes another's", async () => {
    const { repository, project, run, registered } = await setUp();
    const made = await Promise.all(
      [1, 2, 3].map(() => run("workspace", "create", project.slug, "--name", "Same name")),
    );
    const ids = made.filter(({ code }) => code === 0).map(({ answer }) => answer.id);
    expect(ids.length).toBeGreaterThan(0);
    // A process that comes while another one makes the worktree finds its branch, or its entry.
    for (const { code, answer } of made)
      if (code !== 0)
        expect(["branch_exists", "workspace_busy"], answer.error.message).toContain(answer.error.reason);
    const listed = (await run("workspace", "list")).answer as { id: string; path: string; dirty: boolean }[];
    expect(listed.map(({ id }) => id).sort()).toEqual([...new Set(ids)].sort());
    for (const { path, dirty } of listed)
      expect([dirty, await isThere(join(path, "file-1.txt"))]).toEqual([false, true]);
    expect(await listWorktrees(git, repository)).toHaveLength(listed.length + 1);
    expect(await registered()).toHaveLength(listed.length);
  });

  it("an interrupted `workspace create` removes what was half-made", async () => {
    const { machine, repository, project, registered } = await setUp();
    await commit(repository, ".gitattributes", "* filter=slow\n");
    await git(["config", "filter.slow.smudge", "sleep 600"], { cwd: repository });
    const program = startGroveDevice(["workspace", "create", project.slug, "--name", "x"], machine.env);
    const path = join(machine.env.GROVE_HOME, "worktrees", project.slug, "x");
    await until(() => !program.running || isThere(join(path, ".git")));
    program.child.kill("SIGINT");
    const { code, stderr } = await program.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining("undone")]);
    expect(await isThere(path)).toBe(false);
    expect(await branches(repository)).toEqual(["main"]);
    expect(await registered()).toEqual([]);
  });
});

describe("prune", () => {
  it("clears entries of missing worktrees, here, in git and in the cloud, and leaves files alone", async () => {
    const { machine, repository, project, run, registered } = await setUp();
    const make = async (name: string) =>
      (await run("workspace", "create", project.slug, "--name", name)).answer;
    const [stands, gone, forgotten, unknown] = [
      await make("stands"),
      await make("gone"),
      await make("forgotten"),
      await make("unknown"),
    ];
    await rm(gone.path, { recursive: true });
    await rm(forgotten.path, { recursive: true });
    for (const { id } of [forgotten, unknown])
      await rm(join(machine.env.GROVE_HOME, "workspaces", `${id}.json`));

    const dry = await run("prune", "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      answer: {
        dryRun: true,
        workspaces: [{ id: gone.id, name: "gone", path: gone.path }],
        inCloud: [{ id: forgotten.id, name: "forgotten" }],
        leftAlone: [{ path: unknown.path, why: expect.stringContaining(unknown.id) }],
        failed: [],
      },
    });
    expect(dry.answer.git).toHaveLength(2);
    expect((await registered()).sort()).toEqual(["forgotten", "gone", "stands", "unknown"]);
    expect(await listWorktrees(git, repository)).toHaveLength(5);

    const pruned = await run("prune");
    expect(pruned.answer).toEqual({ ...dry.answer, dryRun: false });
    expect((await registered()).sort()).toEqual(["stands", "unknown"]);
    expect((await listWorktrees(git, repository)).map(({ path }) => path).sort()).toEqual(
      [repository, stands.path, unknown.path].sort(),
    );
    expect((await groveDevice(["prune"], machine.env)).stdout).toContain("Left alone");
    await rm(unknown.path, { recursive: true });
    await run("prune");
    expect((await groveDevice(["prune"], machine.env)).stdout).toBe("Nothing to remove.\n");
  });
});
