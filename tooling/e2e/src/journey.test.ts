import { mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@grove/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, connectAgent } from "./support/agent";
import { type Grove, grove, processesOf, startAndFail, startGrove } from "./support/grove";
import { createMachine, type Machine } from "./support/machine";
import { createRepository, type Repository } from "./support/repository";
import { run, succeed } from "./support/run";

let machine: Machine;
let running: Grove;
let agent: Agent;
let repository: Repository;
let projectId: string;

/** `grove-device project add`, as `grove start` says to run it. */
const addProject = (path: string) =>
  run([...running.said.addProject, path], { env: machine.env, cwd: machine.root });

beforeAll(async () => {
  machine = await createMachine();
  running = await startGrove(machine, "--port", "0");
  agent = await connectAgent(running);
  repository = await createRepository(machine, "my prøject");
  const added = await addProject("my prøject");
  if (added.code !== 0) throw new Error(added.stderr);
  projectId = (await agent.listProjects())[0]?.id ?? "";
});

afterAll(async () => {
  await agent?.close();
  await running?.stop();
  await machine.remove();
});

describe("an agent on a fresh machine", () => {
  it("finds the device and the project", async () => {
    expect(await agent.listDevices()).toMatchObject([
      { id: running.local.deviceId, status: "online", canExecute: true },
    ]);
    expect(await agent.listProjects()).toMatchObject([{ id: projectId, name: "my prøject" }]);
  });

  it("makes two worktrees on branches of their own, with one call", async () => {
    const made = await agent.createWorkspaces(projectId, [
      { name: "Login form", branchName: "feature/login" },
      {},
    ]);
    expect(made).toMatchObject([
      { name: "Login form", branch: "feature/login", baseBranch: "main", alreadyExisted: false },
      { baseBranch: "main", alreadyExisted: false },
    ]);

    const head = (await repository.git("rev-parse", "main")).trim();
    const worktrees = await repository.git("worktree", "list", "--porcelain");
    for (const { path, branch } of made) {
      expect(worktrees).toContain(`worktree ${path}\nHEAD ${head}\nbranch refs/heads/${branch}\n`);
      expect(await readFile(join(path ?? "", "README.md"), "utf8")).toBe("# Test\n");
    }

    const ids = made.map(({ id }) => id);
    expect(await agent.listWorkspaces()).toEqual(
      expect.arrayContaining(
        made.map(({ id, name, branch, path }) => expect.objectContaining({ id, name, branch, path })),
      ),
    );
    const { apiUrl, apiKey, organizationId, deviceId } = running.local;
    const recorded = await createClient({ apiUrl, token: apiKey }).workspace.list.query({ organizationId });
    expect(recorded.filter(({ id }) => ids.includes(id))).toMatchObject(
      [...made].reverse().map(({ id, name }) => ({ id, name, projectId, deviceId, type: "worktree" })),
    );
  });

  it("gets odd names made safe, and worktrees where they belong", async () => {
    const odd = ["../../outside", "-rf $(touch x)", "日本語 ✓", "a/../b", "con\u0001trol"];
    const made = await agent.createWorkspaces(
      projectId,
      odd.map((name) => ({ name })),
    );
    for (const { path = "", name } of made) {
      expect(odd).toContain(name);
      expect(path).toMatch(new RegExp(`^${running.local.groveHome}/worktrees/[a-z0-9-]+/[a-z0-9-]+$`));
    }
  });
});

describe("what cannot be done", () => {
  it.each([
    ["a branch that exists", { branchName: "taken" }, /^branch_exists: .*'taken' exists already/],
    ["a branch below one that exists", { branchName: "taken/deeper" }, /^branch_exists: /],
    ["a branch that git does not allow", { branchName: "no..dots" }, /^invalid_branch: .*no\.\.dots/],
    [
      "an option instead of a branch",
      { branchName: "--force" },
      /^invalid_input: .*must not begin with a hyphen/,
    ],
    ["a base that is not there", { baseBranch: "nowhere" }, /^base_not_found: .*nowhere/],
    ["an empty name", { name: " " }, /^invalid_input: .*name/],
  ])("%s is refused, and nothing is made", async (_what, workspace, refusal) => {
    const before = await repository.state();
    const workspaces = await agent.listWorkspaces();
    expect(await agent.refusal("create_workspace", { ...target(), workspaces: [workspace] })).toMatch(
      refusal,
    );
    expect(await repository.state()).toBe(before);
    expect(await agent.listWorkspaces()).toEqual(workspaces);
  });

  it("says of each item what became of it", async () => {
    const made = await agent.createWorkspaces(projectId, [{ branchName: "taken" }, { branchName: "beside" }]);
    expect(made).toMatchObject([{ error: { reason: "branch_exists" } }, { branch: "beside" }]);
    expect(made[0]).not.toHaveProperty("path");
  });

  it("a project that there is not", async () => {
    const other = "01a1fe47-026e-7602-a1f0-88172a9324db";
    const refused = await agent.refusal("create_workspace", {
      ...target(),
      projectId: other,
      workspaces: [{}],
    });
    expect(refused).toContain(other);
  });

  it("a path that is no repository does not become a project", async () => {
    await mkdir(join(machine.root, "empty"));
    for (const path of ["empty", "not there"]) {
      const { code, stderr } = await addProject(path);
      expect(code).toBe(1);
      expect(stderr).toContain(join(machine.root, path));
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
    expect(await agent.listProjects()).toHaveLength(1);
  });

  it("a second Grove on the same data: one line, and the first works on", async () => {
    const { code, stdout, stderr } = await startAndFail(machine);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    const [, problem, ...more] = stderr.trim().split("\n");
    expect(problem).toMatch(/\.grove is in use by process \d+: stop that one/);
    expect(more).toEqual([]);
    expect(await agent.createWorkspaces(projectId, [{}])).toMatchObject([{ path: expect.any(String) }]);
  });

  it("work on a device that is not connected, and the agent is told since when", async () => {
    const registration = join(running.local.groveHome, "device.json");
    // Without it the device agent, which the launcher starts again and again, cannot.
    await rename(registration, `${registration}.away`);
    const { device } = await processesOf(running.said.dataDir);
    process.kill(device ?? 0, "SIGKILL");
    await expect
      .poll(() => agent.listDevices())
      .toMatchObject([{ status: "offline", offlineReason: "disconnected" }]);
    const before = await repository.state();
    expect(await agent.refusal("create_workspace", { ...target(), workspaces: [{}] })).toMatch(
      /^device_offline: .*\d{4}-\d\d-\d\dT\d\d:\d\d/,
    );
    expect(await repository.state()).toBe(before);

    await rename(`${registration}.away`, registration);
    await expect.poll(() => agent.listDevices()).toMatchObject([{ status: "online" }]);
    expect(await agent.createWorkspaces(projectId, [{}])).toMatchObject([{ path: expect.any(String) }]);
    expect(running.stderr()).toMatch(/The device agent ended: .*\nStarting it again in 1 s\./);
  });
});

describe("grove sign-in", () => {
  it("prints a session token of the owner", async () => {
    const options = { env: machine.env, cwd: machine.root };
    const { apiUrl, token } = JSON.parse(await succeed(grove("sign-in", "--json"), options));
    const user = await createClient({ apiUrl, token }).user.get.query();
    expect(user.email).toBe("owner@grove.local");
    expect(await succeed(grove("sign-in"), options)).toMatch(
      /^ {2}curl -H 'Authorization: Bearer grs_[\w-]{43}' http:\/\/127\.0\.0\.1:\d+\/api\/trpc\/user\.get$/m,
    );
  });

  it("says what is missing where there is no local mode", async () => {
    const { code, stderr } = await run(grove("sign-in", "--data-dir", "elsewhere"), {
      env: machine.env,
      cwd: machine.root,
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is no local mode in ${join(machine.root, "elsewhere")}. Start Grove there first, or name its directory with --data-dir.\n`,
    });
  });
});

it("keeps what is secret from other users of the machine", async () => {
  const mode = async (path: string) => (await stat(join(running.said.dataDir, path))).mode & 0o777;
  expect(await mode(".")).toBe(0o700);
  for (const file of ["local.json", "owner.json", "device/device.json", "logs/api.log", "logs/device.log"])
    expect([file, await mode(file)]).toEqual([file, 0o600]);
});

it("keeps secrets out of its logs and its output", async () => {
  const { dataDir, groveHome } = running.said;
  const read = async (path: string) => JSON.parse(await readFile(path, "utf8"));
  const secrets = [
    running.local.apiKey,
    (await read(join(dataDir, "owner.json"))).password,
    (await read(join(groveHome, "device.json"))).deviceKey,
  ];
  const logs = join(dataDir, "logs");
  const files = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), "utf8")));
  const said = [...files, running.stderr(), JSON.stringify(running.said)].join("\n");
  expect(said).toContain("/api/auth/sign-up");
  for (const secret of secrets) {
    expect(secret).toMatch(/.{20}/);
    expect(said).not.toContain(secret);
  }
  expect(said).not.toMatch(/gr[skd]_[\w-]{20}/);
});

const target = () => ({ deviceId: running.local.deviceId, projectId });
