import { chmod, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { expect, it } from "vitest";
import { isThere } from "../../lib/fileSystem";
import { startTestDevice, testContext } from "../../testing/deps";
import { commit, gitEnv } from "../../testing/repository";
import { configure } from "../../testing/session";
import { prepareTool } from "../../tool";
import { createWorkspaceTool } from "../createWorkspace";
import { getAppContextTool } from "../getAppContext";
import { listWorkspacesTool } from "../listWorkspaces";
import { listProjectsTool } from "../projects/listProjects";
import { createTools } from "../tools";

it("workspaces are listed with their state, even those that git cannot read or whose directory was deleted", async () => {
  const device = await startTestDevice();
  const app = await device.addRepository("app");
  const other = await device.addRepository("other", { slug: "other" });
  const make = async (projectId: string, name: string) =>
    (await createWorkspaceTool(device).run({ projectId, workspaces: [{ name }] }, testContext()))
      .workspaces[0];
  const [clean, worked, gone] = [
    await make(app.id, "clean"),
    await make(app.id, "worked"),
    await make(app.id, "gone"),
  ];
  const elsewhere = await make(other.id, "elsewhere");
  await commit(worked?.path ?? "", "work.txt");
  await writeFile(join(worked?.path ?? "", "dirt"), "");
  await rm(gone?.path ?? "", { recursive: true });

  const list = async (projectId?: string) => {
    const result = await listWorkspacesTool(device).run({ projectId }, testContext());
    return deviceTools.list_workspaces.result.parse(result).workspaces;
  };
  const byName = (one: { name: string }, two: { name: string }) => one.name.localeCompare(two.name);
  const common = { projectId: app.id, active: false, state: "ready", behind: 0 };
  expect((await list(app.id)).sort(byName)).toEqual([
    {
      ...common,
      id: clean?.id,
      name: "clean",
      branch: "grove/clean",
      path: clean?.path,
      dirty: false,
      ahead: 0,
    },
    {
      projectId: app.id,
      active: false,
      id: gone?.id,
      name: "gone",
      branch: "grove/gone",
      path: gone?.path,
      state: "missing",
      dirty: null,
      ahead: null,
      behind: null,
    },
    {
      ...common,
      id: worked?.id,
      name: "worked",
      branch: "grove/worked",
      path: worked?.path,
      dirty: true,
      ahead: 1,
    },
  ]);
  const states = async () =>
    (await list()).map(({ name, state }) => `${name} ${state}`).sort((a, b) => a.localeCompare(b));
  expect(await states()).toEqual(["clean ready", "elsewhere ready", "gone missing", "worked ready"]);
  await rename(other.path, `${other.path}-moved`);
  expect(await states()).toEqual(["clean ready", "elsewhere broken", "gone missing", "worked ready"]);
  expect(elsewhere?.error).toBeUndefined();
});

it("projects are those whose repository is on this machine, searched by name and slug", async () => {
  const device = await startTestDevice();
  const web = await device.addRepository("Web App", { slug: "frontend" });
  const gone = await device.addRepository("gone", { slug: "gone" });
  await rm(gone.path, { recursive: true });
  const list = async (search?: string) => {
    const result = await listProjectsTool(device).run({ search }, testContext());
    return deviceTools.list_projects.result.parse(result).projects;
  };
  const expected = { id: web.id, name: "Web App", slug: "frontend", path: web.path, defaultBranch: "main" };
  const missing = {
    id: gone.id,
    name: "gone",
    slug: "gone",
    path: gone.path,
    defaultBranch: "main",
    problem: expect.stringMatching(/no longer there\. Run `.*project add <path>`/),
  };
  expect(await list()).toEqual(expect.arrayContaining([expected, missing]));
  expect(await list("gone")).toEqual([missing]);
  // The agent's own clone is made again when it is needed.
  const entry = await device.store.project(gone.id);
  if (entry) await device.store.saveProject({ ...entry, cloned: true });
  expect(await list()).toEqual([expected]);
  expect(await list("WEB")).toEqual([expected]);
  expect(await list("front")).toEqual([expected]);
  expect(await list("nothing")).toEqual([]);
});

it("the context names git and the agents on the PATH; one that is slow or silent has no version", async () => {
  const device = await startTestDevice();
  const bin = join(device.directory, "bin");
  await mkdir(bin);
  const program = async (name: string, script: string, mode = 0o755) => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), mode);
  };
  await program("claude", 'echo "2.1.7 (Claude Code)"');
  await program("codex", "echo codex-cli 0.99.0-beta.1 >&2");
  await program("gemini", "exec sleep 600");
  await program("opencode", "exit 1");
  await program("aider", "echo 1.0", 0o644);
  const programEnv = { ...gitEnv, PATH: `${bin}:relative::${gitEnv.PATH}` };
  const tool = getAppContextTool({ ...device, programEnv });
  const context = deviceTools.get_app_context.result.parse(await tool.run({}, testContext()));
  expect(context).toMatchObject({
    hostName: hostname(),
    home: device.home.root,
    activeWorkspaceId: null,
    defaultAgent: "claude",
    git: { version: expect.stringMatching(/^\d+\.\d+/) },
  });
  const ours = new Set(["claude", "codex", "gemini", "opencode", "aider"]);
  expect(context.agents.filter(({ name }) => ours.has(name))).toEqual([
    { name: "claude", version: "2.1.7" },
    { name: "codex", version: "0.99.0-beta.1" },
    { name: "gemini", version: null },
    { name: "opencode", version: null },
  ]);
  // The device's own agents are listed too; an unknown program is not started to ask for its version.
  await program("mine", `touch '${join(device.directory, "started")}'`);
  await configure(device, { mine: { command: ["mine", "{prompt}"] } });
  const withOwn = await tool.run({}, testContext());
  expect(withOwn.agents[0]).toEqual({ name: "mine", version: null });
  expect(await isThere(join(device.directory, "started"))).toBe(false);
  // A program that was replaced is asked again.
  await rm(join(bin, "claude"));
  await program("claude", 'echo "3.0.0"');
  const again = await tool.run({}, testContext());
  expect(again.agents.find(({ name }) => name === "claude")?.version).toBe("3.0.0");
});

it("parameters are checked again on the device", async () => {
  const tools = createTools(await startTestDevice());
  const prepare = (params: unknown) => () => prepareTool(tools, "create_workspace", params);
  const projectId = crypto.randomUUID();
  prepare({ projectId, workspaces: [{}] })();
  expect(prepare({ projectId: "x", workspaces: [{}] })).toThrow("projectId");
  expect(prepare({ projectId, workspaces: [] })).toThrow("workspaces");
  expect(prepare({ projectId, workspaces: [{}, {}, {}, {}, {}, {}] })).toThrow("workspaces");
  expect(prepare({ projectId, workspaces: [{}], shell: "rm" })).toThrow("shell");
});
