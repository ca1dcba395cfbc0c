import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { describe, expect, it } from "vitest";
import { groveDevice } from "../testing/program";

/** A machine with these programs on its PATH, each a line of shell. */
async function machineWith(programs: Record<string, string>) {
  const root = await temporaryDirectory();
  const bin = join(root, "bin");
  await mkdir(bin);
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return { GROVE_HOME: join(root, "home"), PATH: `${bin}:/usr/bin:/bin` };
}

it("`agents` lists those on the PATH with their versions, and does not wait for slow ones", async () => {
  const env = await machineWith({ claude: 'echo "2.1.0 (Claude Code)"', codex: "exec sleep 600", other: "" });
  const { code, stdout } = await groveDevice(["agents", "--json"], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual([
    { name: "claude", version: "2.1.0", reports: { by: "hooks" } },
    {
      name: "codex",
      version: null,
      reports: { by: "record", missing: "its hooks need your consent: `grove-device agents enable codex`" },
    },
  ]);
  const words = await groveDevice(["agents"], env);
  expect(words.stdout).toMatch(
    /^AGENT +VERSION +REPORTS +MISSING\nclaude +2\.1\.0 +by hooks\ncodex +unknown +/,
  );
});

describe("the consent to Codex's hooks", () => {
  /** A machine with Codex, and its configuration. */
  async function codexMachine() {
    const env = await machineWith({ codex: 'echo "codex-cli 0.169.0"' });
    const file = join(env.GROVE_HOME, "config.json");
    await mkdir(env.GROVE_HOME, { mode: 0o700 });
    await writeFile(file, '{ "maxSessions": 3, "hooks": { "claude": false } }', { mode: 0o600 });
    const config = async () => JSON.parse(await readFile(file, "utf8"));
    const reports = async () => JSON.parse((await groveDevice(["agents", "--json"], env)).stdout)[0].reports;
    return { env, config, reports };
  }

  it("is given after the hooks were shown, kept in the device's configuration, and withdrawn", async () => {
    const { env, config, reports } = await codexMachine();
    const { code, stdout } = await groveDevice(["agents", "enable", "codex", "--yes"], env);
    expect(code).toBe(0);
    for (const event of ["SessionStart", "UserPromptSubmit", "PermissionRequest", "Stop"])
      expect(stdout).toContain(`hooks.${event}=[{hooks=[{type="command",command="exec '`);
    const codex = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
    expect(await config()).toEqual({ maxSessions: 3, hooks: { claude: false, codex } });
    expect(await reports()).toEqual({ by: "hooks" });
    expect((await groveDevice(["agents", "disable", "codex"], env)).code).toBe(0);
    expect(await config()).toEqual({ maxSessions: 3, hooks: { claude: false, codex: false } });
  });

  it("is not given if stdin is not a terminal", async () => {
    const { env, config } = await codexMachine();
    const { code, stderr } = await groveDevice(["agents", "enable", "codex"], env);
    expect(code).toBe(1);
    expect(stderr).toContain("Add --yes");
    expect(await config()).toEqual({ maxSessions: 3, hooks: { claude: false } });
  });

  it("is asked for again when the hooks have changed", async () => {
    const { env, reports } = await codexMachine();
    const codex = `sha256:${"0".repeat(64)}`;
    await writeFile(join(env.GROVE_HOME, "config.json"), JSON.stringify({ hooks: { codex } }), {
      mode: 0o600,
    });
    expect(await reports()).toEqual({
      by: "record",
      missing: "its hooks have changed: `grove-device agents enable codex`",
    });
  });
});

it("`agents print gemini` prints settings, and takes no other agent", async () => {
  const env = await machineWith({});
  const { stdout } = await groveDevice(["agents", "print", "gemini"], env);
  expect(Object.keys(JSON.parse(stdout).hooks)).toEqual([
    ...["BeforeAgent", "AfterTool", "Notification", "AfterAgent"],
  ]);
  expect((await groveDevice(["agents", "enable", "gemini"], env)).code).toBe(1);
});

it("doctor lists agents, and suggests a next step if none is installed", async () => {
  const env = await machineWith({ gemini: "echo 0.9.1" });
  expect((await groveDevice(["doctor"], env)).stdout).toMatch(/^ok +agents +gemini 0\.9\.1$/m);
  const none = await groveDevice(["doctor"], await machineWith({}));
  expect(none.stdout).toMatch(/^warn +agents +none is installed.*\n +→ Install one/m);
});

it("hints use this installation's name of the command", async () => {
  const env = { ...(await machineWith({})), GROVE_COMMAND: "node /opt/main.js device" };
  const { code, stderr } = await groveDevice(["project", "list"], env);
  expect(code).toBe(1);
  expect(stderr).toContain("Run `node /opt/main.js device register` first");
});
