import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deviceTools } from "@grove/schemas";
import { expect, it } from "vitest";
import { member, startTestDevice, type TestDevice, testContext } from "../../testing/deps";
import { configure } from "../../testing/session";
import { addAgentTool } from "./addAgent";
import { listAgentsTool } from "./listAgents";

const list = async (device: TestDevice) =>
  deviceTools.list_agents.result.parse(await listAgentsTool(device).run({}, testContext()));

const add = (device: TestDevice, name: string, command: string[], requester = testContext().requester) =>
  addAgentTool(device).run(
    deviceTools.add_agent.params.parse({ name, command, prompt: "argument" }),
    testContext(undefined, requester),
  );

const fileOf = async ({ home }: TestDevice) => JSON.parse(await readFile(home.configFile, "utf8"));

/** A device on whose PATH is only this agent. */
async function deviceWith(program: string, script: string) {
  const device = await startTestDevice();
  const bin = join(device.directory, "bin");
  await mkdir(bin);
  await writeFile(join(bin, program), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, program), 0o755);
  return { ...device, bin, programEnv: { ...device.programEnv, PATH: bin, SHELL: "/bin/sh" } };
}

it("lists the agents with version, path and origin, and how to install those that are missing", async () => {
  const device = await deviceWith("claude", 'echo "2.1.7 (Claude Code)"');
  await configure(device, {
    mine: { command: ["mine", "{prompt}"] },
    aider: { command: ["my-aider", "{prompt}"] },
  });
  const { agents, missing, configFile } = await list(device);
  expect(configFile).toBe(device.home.configFile);
  expect(agents).toEqual([
    { name: "claude", version: "2.1.7", path: join(device.bin, "claude"), origin: "preset" },
    { name: "shell", version: null, path: "/bin/sh", origin: "shell" },
  ]);
  expect(missing.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["mine", "aider", "codex", "gemini", "opencode", "cursor-agent", "copilot"]),
  );
  expect(missing.find(({ name }) => name === "codex")).toEqual({
    name: "codex",
    program: "codex",
    install: "npm install -g @openai/codex",
  });
  expect(missing.find(({ name }) => name === "aider")).toEqual({ name: "aider", program: "my-aider" });
  await configure(device, {}, { shell: false });
  expect((await list(device)).agents.map(({ name }) => name)).toEqual(["claude"]);
});

it("reports a wrong config.json with the device's own message", async () => {
  const device = await startTestDevice();
  await configure(device, {}, { maxSessions: "many" });
  await expect(list(device)).rejects.toMatchObject({
    reason: "config_invalid",
    message: expect.stringContaining("maxSessions"),
  });
});

it("takes the same agent twice, since the response to the first call may have been lost, but no other of its name", async () => {
  const device = await startTestDevice();
  await add(device, "mine", ["sh", "-c", "{prompt}"]);
  const written = await fileOf(device);
  await add(device, "mine", ["sh", "-c", "{prompt}"]);
  expect(await fileOf(device)).toEqual(written);
  await expect(add(device, "mine", ["cat", "{prompt}"])).rejects.toMatchObject({ reason: "agent_exists" });
});

it("adds agents to config.json with mode 0600, and keeps everything else in it", async () => {
  const device = await startTestDevice();
  await Promise.all([
    add(device, "first", ["sh", "-c", "{prompt}"]),
    add(device, "second", ["cat", "{prompt}"]),
  ]);
  const { mode } = await stat(device.home.configFile);
  expect((mode & 0o777).toString(8)).toBe("600");
  expect(Object.keys((await fileOf(device)).agents).sort()).toEqual(["first", "second"]);

  const rest = { defaultAgent: "old", secrets: ["A_*"], allowRepositoryScripts: true };
  await configure(device, { old: { command: ["old"], prompt: "typed", env: { KEY: "x" } } }, rest);
  await add(device, "new", ["sh", "-c", "{prompt}"]);
  expect(await fileOf(device)).toEqual({
    ...rest,
    agents: {
      old: { command: ["old"], prompt: "typed", env: { KEY: "x" } },
      new: { command: ["sh", "-c", "{prompt}"], prompt: "argument" },
    },
  });
  expect((await list(device)).agents).toContainEqual(
    expect.objectContaining({ name: "new", origin: "config" }),
  );
});

it("writes through a link, which stays a link", async () => {
  const device = await startTestDevice();
  const real = join(device.directory, "dotfiles.json");
  await writeFile(real, "{}", { mode: 0o600 });
  await symlink(real, device.home.configFile);
  await add(device, "new", ["sh", "{prompt}"]);
  expect(JSON.parse(await readFile(real, "utf8")).agents).toHaveProperty("new");
});

it("refuses what it cannot add, and leaves the file as it is", async () => {
  const device = await deviceWith("claude", "echo 1.0");
  const refuses = async (
    name: string,
    command: string[],
    reason: string,
    requester = testContext().requester,
  ) => {
    const before = await readFile(device.home.configFile, "utf8");
    await expect(add(device, name, command, requester)).rejects.toMatchObject({ reason });
    expect(await readFile(device.home.configFile, "utf8")).toBe(before);
  };
  await configure(device, { mine: { command: ["mine", "{prompt}"] } });
  for (const taken of ["mine", "claude", "shell"]) await refuses(taken, ["x", "{prompt}"], "agent_exists");
  await refuses("not a name", ["x", "{prompt}"], "agent_invalid");
  await refuses("new", ["x"], "agent_invalid");
  await refuses("new", ["x", "{prompt}"], "owner_only", member);
  await configure(device, {}, { shell: false });
  await refuses("new", ["x", "{prompt}"], "shell_off");
  await configure(device, {}, { maxSessions: -1 });
  await refuses("new", ["x", "{prompt}"], "config_invalid");
});
