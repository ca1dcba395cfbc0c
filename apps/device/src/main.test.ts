import { copyFile, mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { deviceFile } from "@grove/schemas";
import { useApi } from "@grove/test-api";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it } from "vitest";
import { isThere } from "./lib/fileSystem";
import { runProgram } from "./lib/program";
import { groveDevice, registerMachine, startGroveDevice } from "./testing/program";
import { commit, git, makeRepository } from "./testing/repository";

const api = useApi();

const emptyHome = async () => ({ GROVE_HOME: join(await temporaryDirectory(), "home"), API_URL: api.url });

describe("the program", () => {
  it("runs as one file on its own", async () => {
    const alone = join(await temporaryDirectory(), "main.mjs");
    await copyFile(new URL("../dist/main.js", import.meta.url), alone);
    const { code, stdout } = await runProgram(process.execPath, [alone, "--version"], { env: {} });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it.each(
    [
      ...["register", "start", "status", "project add", "project list"],
      ...["workspace create", "workspace list", "workspace delete", "prune", "doctor", "agents"],
      ...["service print", "service install", "service uninstall", "service status"],
      ...["agent comments", "agent answer", "agent finish"],
    ].map((command) => [command]),
  )("%s --help has an example", async (command) => {
    const { code, stdout } = await groveDevice([...command.split(" "), "--help"], {});
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Example:\n {2}.*grove-device/)]);
  });

  it.each([["nonsense"], ["project", "add"], ["status", "--nonsense"]])(
    "wrong usage: %s %s",
    async (...args) => {
      const { code, stderr } = await groveDevice(args, {});
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: /)]);
    },
  );

  it("each wrong variable gets one line", async () => {
    const { code, stderr } = await groveDevice(["status"], { API_URL: "nowhere", LOG_LEVEL: "loud" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^API_URL: .*\nLOG_LEVEL: .*\n$/);
  });

  it("before registration every command reports it, and status creates no files", async () => {
    const env = await emptyHome();
    const status = await groveDevice(["status", "--json"], env);
    expect([status.code, JSON.parse(status.stdout)]).toEqual([
      3,
      expect.objectContaining({
        registered: false,
        running: false,
        pid: null,
        connected: false,
        journal: null,
      }),
    ]);
    expect(await isThere(env.GROVE_HOME)).toBe(false);
    for (const args of [
      ["start"],
      ["project", "list"],
      ["project", "add", "."],
      ["workspace", "list"],
      ["prune"],
    ]) {
      const { code, stderr } = await groveDevice(args, env);
      expect([code, stderr]).toEqual([1, expect.stringContaining("grove-device register")]);
    }
  });
});

describe("register", () => {
  it("stores the device key for this user only, and never shows it", async () => {
    const { client, organizationId, apiKey } = await api.signUp();
    const env = { ...(await emptyHome()), API_KEY: apiKey };
    const { code, stdout, stderr } = await groveDevice(["register", "--name", "laptop"], env);
    expect([code, stderr]).toEqual([0, ""]);
    const path = join(env.GROVE_HOME, "device.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const kept = deviceFile.parse(JSON.parse(await readFile(path, "utf8")));
    expect(await client.device.list.query({ organizationId })).toMatchObject([
      { id: kept.deviceId, name: "laptop" },
    ]);
    expect(stdout).toContain(kept.deviceId);
    expect(stdout).not.toContain("grd_");

    const again = await groveDevice(["register"], env);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("--force")]);
    expect((await groveDevice(["register", "--force"], env)).code).toBe(0);
    expect(await client.device.list.query({ organizationId })).toHaveLength(2);
  });

  it("of two simultaneous ones on one home, one wins and the other names the device to revoke", async () => {
    const { apiKey } = await api.signUp();
    const env = { ...(await emptyHome()), API_KEY: apiKey };
    const both = await Promise.all([groveDevice(["register"], env), groveDevice(["register"], env)]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(both.map(({ stderr }) => stderr).join("")).toMatch(/--force|Revoke the device/);
  });

  it("without a key shows a code, and leaves nothing behind when it is given up", async () => {
    const env = await emptyHome();
    const registering = startGroveDevice(["register"], env);
    expect(await registering.waitForLine("Open")).toMatch(/\/device\?code=[A-Z]{4}-[A-Z]{4}$/);
    expect(await registering.end("SIGINT")).toBe(1);
    expect((await readdir(env.GROVE_HOME)).filter((name) => name.startsWith("device.json"))).toEqual([]);
  });

  it.each([
    ["an unknown key", { API_KEY: "grk_unknown" }, "does not accept this key"],
    ["an API that is not there", { API_KEY: "grk_x", API_URL: "http://127.0.0.1:1" }, "cannot be reached"],
  ])("with %s it reports the reason and leaves nothing behind", async (_, variables, message) => {
    const env = { ...(await emptyHome()), ...variables };
    const { code, stderr } = await groveDevice(["register"], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    const files = await readdir(env.GROVE_HOME, { withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
  });
});

describe("project add", () => {
  const add = async (machine: { env: NodeJS.ProcessEnv }, ...args: string[]) => {
    const { code, stdout, stderr } = await groveDevice(["project", "add", "--json", ...args], machine.env);
    return { code, stderr, project: stdout === "" ? undefined : JSON.parse(stdout) };
  };

  it("the same path, a subdirectory and a worktree of it are one project", async () => {
    const machine = await registerMachine(api);
    const path = await makeRepository(join(machine.directory, "Äpp (new)"));
    await mkdir(join(path, "deep"));
    await git(["worktree", "add", "--quiet", "-b", "x", "--", join(machine.directory, "tree")], {
      cwd: path,
    });
    const first = await add(machine, path);
    expect(first.project).toMatchObject({ name: "Äpp (new)", slug: "app-new", path, alreadyAdded: false });
    for (const from of [path, join(path, "deep"), join(machine.directory, "tree")])
      expect((await add(machine, from)).project).toMatchObject({ id: first.project.id, alreadyAdded: true });
    const shown = await groveDevice(["project", "add", path], machine.env);
    expect(shown.stdout).toContain("Restore points are kept as commits under refs/grove/");
    const list = await groveDevice(["project", "list"], machine.env);
    expect(list.stdout.split("\n")[0]).toMatch(/^ID +NAME +PATH$/);
    expect(list.stdout.split("\n")[1]).toBe(`${first.project.id}  Äpp (new)  ${path}`);
  });

  it("a project of the organization is found by its URL in any form", async () => {
    const machine = await registerMachine(api);
    const { client, organizationId } = machine;
    const fields = { name: "App", slug: "the-app", repoOwner: "acme", repoName: "app" };
    const repoUrl = "https://github.com/acme/app";
    const known = await client.project.create.mutate({ organizationId, ...fields, repoUrl });
    const path = await makeRepository(join(machine.directory, "clone"));
    await git(["remote", "add", "origin", "git@github.com:acme/app.git"], { cwd: path });
    expect((await add(machine, path)).project).toMatchObject({ id: known.id, slug: "the-app" });

    const other = await makeRepository(join(machine.directory, "second clone"));
    await git(["remote", "add", "origin", "https://me:ghp_secret@github.com/acme/app.git"], { cwd: other });
    const refused = await add(machine, other);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(path)]);
  });

  it("directories of the same name get numbered slugs; a requested slug is not changed", async () => {
    const machine = await registerMachine(api);
    const paths = await Promise.all(
      ["a", "b", "c"].map((name) => makeRepository(join(machine.directory, name, "app"))),
    );
    const added = await Promise.all(paths.slice(0, 2).map((path) => add(machine, path)));
    expect(added.map(({ project }) => project.slug).sort()).toEqual(["app", "app-2"]);
    const refused = await add(machine, "--slug", "app", paths[2] ?? "");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--slug")]);
    expect((await add(machine, "--slug", "My.App", "--name", "Mine", paths[2] ?? "")).project).toMatchObject({
      slug: "My.App",
      name: "Mine",
    });
  });

  it("tokens in the remote's URL are never passed on", async () => {
    const machine = await registerMachine(api);
    const path = await makeRepository(join(machine.directory, "app"));
    await git(["remote", "add", "origin", "https://me:ghp_secret@github.com/acme/app.git"], { cwd: path });
    const { project } = await add(machine, path);
    const { client, organizationId } = machine;
    const stored = await client.project.get.query({ organizationId, id: project.id });
    expect(stored).toMatchObject({
      repoOwner: "acme",
      repoName: "app",
      repoUrl: "https://github.com/acme/app.git",
    });
    expect(JSON.stringify([project, stored])).not.toContain("secret");
  });

  it("a repository without commits is added with a hint at the next step", async () => {
    const machine = await registerMachine(api);
    const path = await makeRepository(join(machine.directory, "new"), { commits: 0 });
    const warnings = ["It has no commits yet. Make a first one before you create a workspace of it."];
    expect((await add(machine, path)).project).toMatchObject({ defaultBranch: "main", warnings });
    const { stdout } = await groveDevice(["project", "add", path], machine.env);
    expect(stdout).toContain(`Note: ${warnings[0]}`);
    await commit(path, "first.txt");
    expect((await add(machine, path)).project).toMatchObject({ alreadyAdded: true, warnings: [] });
  });

  it("a directory that is not a repository and an invalid slug are refused", async () => {
    const machine = await registerMachine(api);
    const nothing = await add(machine, join(machine.directory, "nothing"));
    expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining("does not exist")]);
    const path = await makeRepository(join(machine.directory, "app"));
    const slug = await add(machine, "--slug", "no slug", path);
    expect([slug.code, slug.stderr]).toEqual([1, expect.stringContaining("slug")]);
  });

  it("a device key from the environment is enough", async () => {
    const machine = await registerMachine(api);
    const { deviceKey } = JSON.parse(await readFile(join(machine.env.GROVE_HOME, "device.json"), "utf8"));
    const path = await makeRepository(join(machine.directory, "app"));
    const env = {
      GROVE_HOME: join(machine.directory, "other home"),
      API_URL: api.url,
      DEVICE_KEY: deviceKey,
    };
    expect((await add({ env }, path)).project).toMatchObject({ slug: "app", alreadyAdded: false });
  });
});
