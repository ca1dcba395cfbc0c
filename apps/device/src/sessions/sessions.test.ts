import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { member, owner, testContext } from "../testing/deps";
import { configure, node, startSessionDevice, startTestSession } from "../testing/session";

const bash = {
  command: ["bash", "--norc", "--noprofile", "-i"],
  prompt: "typed" as const,
  env: { PS1: "$ " },
};

it("bash: the prompt is typed, input and resizing reach it, it ends with its exit code", async () => {
  const { device, workspace } = await startSessionDevice();
  const session = await startTestSession(device, workspace.id, bash, "echo one-$((1+1)); pwd");
  await session.said("one-2");
  await session.said(workspace.path);
  await session.type("echo ünï→🌳\r");
  await session.said("\rünï→🌳\r");
  device.sessions.resize(session.id, 101, 33);
  await session.type("stty size\r");
  await session.said("33 101");
  expect(device.sessions.registry.running()).toMatchObject([{ id: session.id, agent: "test" }]);
  await session.type("exit 7\r");
  expect(await session.reported("end")).toMatchObject({ status: "exited", exitCode: 7 });
  expect(session.chunks().map(({ sequence }) => sequence)).toEqual(session.chunks().map((_, at) => at + 1));
  expect(device.sessions.registry.running()).toEqual([]);
  await session.forgotten();
});

it("a prompt as an argument or on stdin arrives unchanged, for any characters", async () => {
  const { device, workspace } = await startSessionDevice();
  const prompt = `--help "quoted" $(touch /tmp/x) \`x\` 'ünï' $HOME \\ {prompt} 🌳\nsecond line`;
  const print = "process.stdout.write(JSON.stringify(process.argv[1]))";
  const argument = await startTestSession(
    device,
    workspace.id,
    { command: node(print, "--", "{prompt}"), prompt: "argument" },
    prompt,
  );
  await argument.reported("end", { status: "exited", exitCode: 0 });
  expect(JSON.parse(argument.output())).toBe(prompt);
  const echo =
    "process.stdout.write(JSON.stringify(require('fs').readFileSync(0, 'utf8')+process.stdout.isTTY))";
  const long = `${prompt}${"ä".repeat(20_000)}`;
  const stdin = await startTestSession(device, workspace.id, { command: node(echo), prompt: "stdin" }, long);
  await stdin.reported("end", { status: "exited", exitCode: 0 });
  expect(JSON.parse(stdin.output())).toBe(`${long}true`);
  await stdin.forgotten();
});

it("GPG_TTY is the session's own terminal, even if the prompt is on stdin", async () => {
  const { device, workspace } = await startSessionDevice();
  for (const prompt of ["argument", "stdin"] as const) {
    const command = [
      "sh",
      "-c",
      'echo "$GPG_TTY is $(readlink /proc/$$/fd/2)"',
      ...(prompt === "argument" ? ["{prompt}"] : []),
    ];
    const session = await startTestSession(device, workspace.id, { command, prompt });
    await session.reported("end", { exitCode: 0 });
    expect(session.output()).toMatch(/^(\/dev\/pts\/\d+) is \1\s*$/);
  }
});

it("a burst of output is complete and in order", async () => {
  const { device, workspace } = await startSessionDevice();
  const burst = "for (let n = 0; n < 20_000; n++) console.log(String(n).padStart(6, '0') + 'ä'.repeat(30));";
  const session = await startTestSession(device, workspace.id, { command: node(burst, "{prompt}") });
  await session.reported("end", { status: "exited" });
  const lines = session.output().split("\r\n").slice(0, -1);
  expect(lines.findIndex((line, n) => Number(line.slice(0, 6)) !== n)).toBe(-1);
  expect(lines).toHaveLength(20_000);
  expect(Buffer.byteLength(session.output())).toBeGreaterThan(1_000_000);
  expect(session.chunks().map(({ sequence }) => sequence)).toEqual(session.chunks().map((_, at) => at + 1));
});

it("the last output is not lost, even if the program ends immediately", async () => {
  const { device, workspace } = await startSessionDevice();
  await writeFile(join(workspace.path, "zeros"), "0".repeat(40_000));
  const sessions = await Promise.all(
    Array.from({ length: 8 }, () =>
      startTestSession(device, workspace.id, { command: ["cat", "{prompt}"] }, "zeros"),
    ),
  );
  for (const session of sessions) {
    await session.reported("end");
    expect(session.output()).toHaveLength(40_000);
  }
});

it("stop ends all of a session's processes, even one that has left its group and ignores TERM", async () => {
  const { device, workspace } = await startSessionDevice();
  const grandchildren = `
    const { spawn } = require("node:child_process");
    for (const detached of [false, true])
      spawn("sh", ["-c", "trap '' TERM HUP; while :; do sleep 1; done"], { detached, stdio: "inherit" });
    setInterval(() => {}, 1000);
    console.log("ready");`;
  const session = await startTestSession(device, workspace.id, { command: node(grandchildren, "{prompt}") });
  await session.said("ready");
  await until(async () => (await session.processes()).length >= 5);
  await device.sessions.stop(session.id);
  expect(await session.processes()).toEqual([]);
  expect(await session.reported("end")).toMatchObject({ status: "stopped" });
  await device.sessions.stop(session.id);
});

it("processes that the agent leaves running end with it; a signal is reported", async () => {
  const { device, workspace } = await startSessionDevice();
  const leaving = "sleep 1000 & setsid sleep 1000 & kill -KILL $$";
  const session = await startTestSession(device, workspace.id, {
    command: ["bash", "-c", leaving, "{prompt}"],
  });
  expect(await session.reported("end")).toMatchObject({
    status: "failed",
    error: { reason: "killed", message: expect.stringContaining("SIGKILL") },
  });
  expect(await session.processes()).toEqual([]);
});

it("it gets the project's secrets and the agent's environment, but no secret that controls the machine", async () => {
  const { device, workspace } = await startSessionDevice();
  Object.assign(device.test.secrets, {
    TOKEN: "hunter2",
    LEVEL: "project",
    PATH: "/evil",
    NODE_OPTIONS: "--bad",
  });
  const print = "console.log(JSON.stringify([process.env.TOKEN, process.env.LEVEL, process.env.PATH]))";
  const agent = { command: node(print, "{prompt}"), env: { LEVEL: "device" } };
  const session = await startTestSession(device, workspace.id, agent);
  await session.reported("end", { exitCode: 0 });
  expect(session.output()).toContain(JSON.stringify(["hunter2", "device", process.env.PATH]));
  expect(session.output()).toContain("secret NODE_OPTIONS is not passed on");
  expect(JSON.stringify(session.context.notes)).not.toContain("hunter2");
});

it.each([
  ["another member's", member, undefined, "-,-"],
  ["the owner's, of whom some are listed", owner, ["DB_*"], "url,-"],
  ["another member's, of whom some are listed", member, ["DB_*"], "url,-"],
] as const)(
  "a session that is %s gets the project's secrets as the device's owner allows",
  async (_, requester, secrets, got) => {
    const { device, workspace } = await startSessionDevice();
    Object.assign(device.test.secrets, { DB_URL: "url", TOKEN: "hunter2" });
    const print = "console.log([process.env.DB_URL, process.env.TOKEN].map((value) => value ?? '-').join())";
    const agent = { command: node(print, "{prompt}") };
    const session = await startTestSession(device, workspace.id, agent, "x", {
      requester,
      config: { secrets },
    });
    await session.reported("end", { exitCode: 0 });
    expect(session.output()).toContain(`${got}\r\n`);
    expect(session.output()).toContain("TOKEN. The device's owner can list them");
  },
);

it("an agent that cannot be started fails with the reason", async () => {
  const { device, workspace } = await startSessionDevice();
  const start = (agent: string) =>
    device.sessions.start({ workspaceId: workspace.id, agent, prompt: "1000" }, testContext());
  await configure(device, {
    mine: { command: ["/bin/sleep", "{prompt}"] },
    gone: { command: ["/no/such", "{prompt}"] },
  });
  await expect(start("nope")).rejects.toThrow('no agent "nope". It has: mine, gone, claude, codex');
  await expect(start("gone")).rejects.toThrow('there is no program "/no/such". Installed: mine');
  await configure(device, { mine: { command: ["/bin/sleep", "{prompt}"] } }, { maxSessions: 0 });
  await expect(start("mine")).rejects.toThrow("at most 0 are allowed");
  expect(device.test.count("agent.reportSession")).toBe(0);
});
