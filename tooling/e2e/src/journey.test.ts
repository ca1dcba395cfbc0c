import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@grove/client";
import { runProgram, succeed } from "@grove/testing/process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Agent, connectAgent } from "./support/agent";
import { type Grove, grove, processesOf, startAndFail, startGrove } from "./support/grove";
import { createMachine, type Machine } from "./support/machine";
import { createRepository, type Repository } from "./support/repository";

let machine: Machine;
let running: Grove;
let agent: Agent;
let repository: Repository;
let projectId: string;

/** Runs `grove-device project add` the way that `grove start` describes it. */
const addProject = (path: string) =>
  runProgram([...running.announced.addProject, path], { env: machine.env, cwd: machine.root });

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

  it("makes two worktrees on separate branches, with one call", async () => {
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

  it("and its user undoes what was done in a worktree, by grove undo", async () => {
    const [{ path = "", id: workspaceId } = expect.fail()] = await agent.createWorkspaces(projectId, [
      { name: "to undo" },
    ]);
    await writeFile(join(path, "README.md"), "changed\n");
    const undo = (cwd: string, ...args: string[]) =>
      runProgram(grove("undo", "--data-dir", running.announced.dataDir, ...args), { env: machine.env, cwd });
    const listed = await undo(path, "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject({ workspaceId, points: [{ kind: "fork" }] });
    const refused = await undo(machine.root, "to undo", "--to", "7");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("point_gone")]);
    const undone = await undo(machine.root, "to undo", "--to", "fork");
    expect([undone.code, undone.stderr]).toEqual([0, ""]);
    expect(await readFile(join(path, "README.md"), "utf8")).toBe("# Test\n");
    expect((await undo(machine.root, "to undo")).stdout).toMatch(/^1 .* 1 file \+1 -1/m);
    expect((await undo(machine.root)).stderr).toContain("The current directory is in no workspace.");
  });

  it("and its user comments on what was done and commits it, by grove review and grove pr", async () => {
    const [{ path = "" } = expect.fail()] = await agent.createWorkspaces(projectId, [{ name: "to review" }]);
    await writeFile(join(path, "README.md"), "changed\n");
    const run = (command: string, ...args: string[]) =>
      runProgram(grove(command, "--data-dir", running.announced.dataDir, ...args), {
        env: machine.env,
        cwd: path,
      });
    expect((await run("pr")).stdout).toMatch(
      /1 uncommitted file\n.*\n.*\nNo pull request\nNext: .*pr .*commit 'to review'/,
    );
    const comment = await run("review", "comment", "README.md:1", "Say what has changed.");
    expect([comment.code, comment.stderr]).toEqual([0, ""]);
    expect((await run("review")).stdout).toMatch(/^README\.md:1 {2}\[draft\]\n {2}Say what has changed\.\n/);
    expect((await run("review", "comment", "README.md:0", "No line")).stderr).toContain(
      "is not a line range",
    );
    expect((await run("review", "comment", "other.md:1", "No file")).stderr).toContain("has no changes");
    expect((await run("review", "comment", "README.md", "Split this file.")).code).toBe(0);
    expect((await run("review", "comment", "--change", "Add a test.")).code).toBe(0);
    expect((await run("review")).stdout).toContain(
      "\nREADME.md  [draft]\n  Split this file.\nthe whole change  [draft]\n  Add a test.\n",
    );
    const onBoth = await run("review", "comment", "--change", "README.md", "Add a test.");
    expect([onBoth.code, onBoth.stderr]).toEqual([1, expect.stringContaining("give only the comment")]);
    const onNothing = await run("review", "comment", "README.md");
    expect([onNothing.code, onNothing.stderr]).toEqual([1, expect.stringContaining("Name a file or lines")]);
    const before = (...args: string[]) => run("review", "comment", "--before", ...args);
    expect((await run("review", "comment", "--change")).stderr).toContain("give only the comment");
    expect((await before("--change", "Add a test.")).stderr).toContain("--before is for a file");
    await writeFile(join(path, "new.md"), "new\n");
    expect((await before("new.md", "Why?")).stderr).toContain("new.md did not exist before the change");
    expect((await run("review", "send")).stderr).toContain("No agent runs in this workspace.");
    const checked = await run("pr", "check");
    expect([checked.code, checked.stdout]).toEqual([0, "The base has no .grove/check.\n"]);
    expect((await run("pr", "commit")).stderr).toContain("(identity_missing)");
    for (const [key, value] of Object.entries({ "user.name": "Ada", "user.email": "ada@example.com" }))
      await repository.git("config", key, value);
    const committed = await run("pr", "commit", "--message", "Change the page");
    expect([committed.code, committed.stdout]).toEqual([0, expect.stringMatching(/^Committed 2 files as /)]);
    expect((await repository.git("-C", path, "log", "-1", "--format=%s")).trim()).toBe("Change the page");
    const pushed = await run("pr", "push");
    expect([pushed.code, pushed.stderr]).toEqual([1, expect.stringContaining("(remote_mismatch)")]);
    for (const command of ["open", "ready"]) {
      const refused = await run("pr", command, "--json");
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("(no_connection)")]);
    }
  });

  it("gets safe names instead of odd ones, and worktrees in the right directory", async () => {
    const odd = ["../../outside", "-rf $(touch x)", "日本語 ✓", "a/../b"];
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

describe("a request that cannot be met", () => {
  it.each([
    ["a branch that exists", { branchName: "taken" }, /^branch_exists: .*'taken' already exists/],
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

  it("reports the outcome of each item", async () => {
    const made = await agent.createWorkspaces(projectId, [{ branchName: "taken" }, { branchName: "beside" }]);
    expect(made).toMatchObject([{ error: { reason: "branch_exists" } }, { branch: "beside" }]);
    expect(made[0]).not.toHaveProperty("path");
  });

  it("names a project that does not exist", async () => {
    const other = "01a1fe47-026e-7602-a1f0-88172a9324db";
    const refused = await agent.refusal("create_workspace", {
      ...target(),
      projectId: other,
      workspaces: [{}],
    });
    expect(refused).toContain(other);
  });

  it("makes no project from a path that is not a repository", async () => {
    await mkdir(join(machine.root, "empty"));
    for (const path of ["empty", "not there"]) {
      const { code, stderr } = await addProject(path);
      expect(code).toBe(1);
      expect(stderr).toContain(join(machine.root, path));
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
    expect(await agent.listProjects()).toHaveLength(1);
  });

  it("reports that Grove is already running on the same data, and the first one continues", async () => {
    const { code, stdout, stderr } = await startAndFail(machine);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "Grove is already running.\n" });
    expect(stdout).toContain(`Grove is running at ${running.announced.apiUrl}`);
    const again = await startAndFail(machine, "--json");
    expect(JSON.parse(again.stdout).mcpServers).toEqual(running.announced.mcpServers);
    expect(await agent.createWorkspaces(projectId, [{}])).toMatchObject([{ path: expect.any(String) }]);
  });

  it("reports a device that is not connected, and since when", async () => {
    const registration = join(running.local.groveHome, "device.json");
    // Without this file the device agent cannot run, however often the launcher restarts it.
    await rename(registration, `${registration}.away`);
    const { device } = await processesOf(running.announced.dataDir);
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
    expect(running.program.stderr).toMatch(/grove-device ended: .*\nStarting it again in 1 s\./);
  });
});

describe("the other commands", () => {
  const options = () => ({ env: machine.env, cwd: machine.root });

  it("grove status shows the state, and what to do", async () => {
    const { code, stdout } = await runProgram(grove("status"), options());
    expect(code).toBe(0);
    expect(stdout).toMatch(/ is online · 1 project, \d+ workspaces/);
    const elsewhere = await runProgram(grove("status", "--data-dir", "elsewhere"), options());
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stdout).toContain(`not running on ${join(machine.root, "elsewhere")}`);
  });

  it("grove project takes paths relative to the current directory, and its hints name commands that exist", async () => {
    const [, ...args] = grove("project", "--data-dir", running.announced.dataDir, "add", ".");
    const added = await runProgram([process.execPath, ...args], { env: machine.env, cwd: repository.path });
    expect(added.stdout).toContain(`already exists: ${repository.path}`);
    expect(await succeed(grove("project", "list"), options())).toMatch(
      /^ID +NAME +PATH\n.* {2}my prøject {2}/,
    );
    const hint = await runProgram(grove("device", "workspace", "create", "nothing"), options());
    expect(hint.code).toBe(1);
    const [, command = ""] = /`(node .* device .*) project add <path>`/.exec(hint.stderr) ?? [];
    expect(
      await succeed(["/bin/sh", "-c", `${command} project list`], { env: machine.env, cwd: "/" }),
    ).toContain("my prøject");
  });

  it("grove connect configures a client for this Grove, without a secret", async () => {
    await succeed(grove("connect", "cursor"), options());
    const file = await readFile(join(machine.env.HOME ?? "", ".cursor", "mcp.json"), "utf8");
    expect(JSON.parse(file)).toEqual({ mcpServers: running.announced.mcpServers });
    expect(file).not.toContain(running.local.apiKey);
    expect(await succeed(grove("connect", "--print"), options())).toBe(file);
    expect(await succeed(grove("connect", "codex", "--print"), options())).toMatch(
      /^\[mcp_servers\.grove\]\n/,
    );
    expect((await runProgram(grove("connect"), options())).code).toBe(1);
  });

  it("grove export gives a person everything of an organization, without its secrets", async () => {
    const { apiUrl, apiKey, organizationId, dataDir } = { ...running.local, ...running.announced };
    const { email, password } = JSON.parse(await readFile(join(dataDir, "owner.json"), "utf8"));
    const { token } = JSON.parse(await succeed(grove("sign-in", "--json"), options()));
    const client = createClient({ apiUrl, token });
    const own = { organizationId };
    await client.project.setSecret.mutate({ ...own, projectId, key: "TOKEN", value: "hunter2hunter2" });
    await client.task.create.mutate({ ...own, title: 'Say "hello"' });
    const chat = await client.chat.createSession.mutate({ ...own, title: "Plans" });
    await client.chat.sendMessage.mutate({ ...own, sessionId: chat.id, text: "First the doctor" });
    const sessions = (await client.user.listSessions.query()).length;

    const path = join(machine.root, "mine.json");
    expect(await succeed(grove("export", "mine.json"), options())).toMatch(/mine\.json\n.*projects 1/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, "utf8");
    const all = JSON.parse(text);
    expect(all).toMatchObject({
      format: "grove-export",
      organization: { id: organizationId },
      members: [{ email, role: "owner" }],
      devices: [{ id: running.local.deviceId }],
      projects: [{ name: "my prøject", secretNames: ["TOKEN"] }],
      tasks: [{ title: 'Say "hello"' }],
      chats: [{ title: "Plans" }],
      chatMessages: [{ chatId: chat.id, text: "First the doctor" }],
      leftOut: {},
    });
    const recorded = await client.workspace.list.query(own);
    expect(all.workspaces).toEqual(recorded);
    expect(all.commands.length).toBeGreaterThan(0);
    for (const secret of [apiKey, password, "hunter2", "key_hash", "sealed"])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/gr[skd]_[\w-]{20}/);
    // The export's own session ended with it.
    expect(await client.user.listSessions.query()).toHaveLength(sessions);

    const byKey = { ...machine.env, API_KEY: apiKey };
    const exported = await runProgram(grove("export", "keyed.json", "--api-url", apiUrl), {
      ...options(),
      env: byKey,
    });
    expect(exported.stderr).toMatch(/^Skipped invitations: .*\nSkipped apiKeys: /m);
    const keyed = JSON.parse(await readFile(join(machine.root, "keyed.json"), "utf8"));
    expect(keyed.tasks).toEqual(all.tasks);
    expect(Object.keys(keyed.leftOut)).toEqual(["invitations", "apiKeys"]);
    const stranger = await runProgram(grove("export", "not.json", "--api-url", apiUrl), {
      ...options(),
      env: { ...byKey, API_KEY: `grk_${"x".repeat(43)}` },
    });
    expect([stranger.code, stranger.stderr.trim().split("\n").length]).toEqual([1, 1]);
  });

  it("no one else can sign up", async () => {
    const response = await fetch(`${running.announced.apiUrl}/api/auth/sign-up`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "eve@example.com", password: "correct horse battery", name: "Eve" }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { data: { reason: "sign_up_closed" } } });
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

  it("reports what is missing without a local mode", async () => {
    const { code, stderr } = await runProgram(grove("sign-in", "--data-dir", "elsewhere"), {
      env: machine.env,
      cwd: machine.root,
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `There is no local mode in ${join(machine.root, "elsewhere")}. Start Grove there first, or name its directory with --data-dir.\n`,
    });
  });
});

describe("grove link", () => {
  it("prints an address that begins one session, and that no log has", async () => {
    const options = { env: machine.env, cwd: machine.root };
    const address = new URL((await succeed(grove("link"), options)).trim());
    const { apiUrl, dataDir } = running.announced;
    expect([address.origin, address.pathname]).toEqual([apiUrl, "/link"]);
    const code = address.hash.slice("#code=".length);
    const exchange = () =>
      fetch(`${apiUrl}/api/auth/link`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
    const { token } = (await (await exchange()).json()) as { token: string };
    expect((await createClient({ apiUrl, token }).user.get.query()).email).toBe("owner@grove.local");
    expect((await exchange()).status).toBe(400);
    expect(await readFile(join(dataDir, "logs", "api.log"), "utf8")).not.toContain(code);
  });

  it("is shown to users who are signed out as the command that works here", async () => {
    const { apiUrl, dataDir } = running.announced;
    const { linkCommand } = (await (await fetch(`${apiUrl}/api/auth/options`)).json()) as {
      linkCommand: string;
    };
    expect(linkCommand).toContain(dataDir);
    const shown = ["sh", "-c", linkCommand];
    expect(await succeed(shown, { env: machine.env, cwd: machine.root })).toContain("/link#code=");
  });

  it("is what start prints only to a terminal", () => {
    expect(running.program.output).not.toContain("#code=");
  });
});

it("keeps secrets from other users of the machine", async () => {
  const mode = async (path: string) => (await stat(join(running.announced.dataDir, path))).mode & 0o777;
  expect(await mode(".")).toBe(0o700);
  for (const file of ["local.json", "owner.json", "proof.key", "device/device.json", "logs/api.log"])
    expect([file, await mode(file)]).toEqual([file, 0o600]);
});

it("keeps secrets out of its logs and its output", async () => {
  const { dataDir, groveHome } = running.announced;
  const read = async (path: string) => JSON.parse(await readFile(path, "utf8"));
  const secrets = [
    running.local.apiKey,
    (await read(join(dataDir, "owner.json"))).password,
    (await read(join(groveHome, "device.json"))).deviceKey,
  ];
  const logs = join(dataDir, "logs");
  const files = await Promise.all((await readdir(logs)).map((name) => readFile(join(logs, name), "utf8")));
  const written = [...files, running.program.stderr, JSON.stringify(running.announced)].join("\n");
  expect(written).toContain("/api/auth/sign-up");
  for (const secret of secrets) {
    expect(secret).toMatch(/.{20}/);
    expect(written).not.toContain(secret);
  }
  expect(written).not.toMatch(/gr[skd]_[\w-]{20}/);
});

const target = () => ({ deviceId: running.local.deviceId, projectId });
