import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@grove/client";
import type { AgentSession, DeviceToolName, SessionOutputEvent } from "@grove/schemas";
import { useApi } from "@grove/test-api";
import { scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { groveDevice, registerMachine, startAgent, type TestMachine } from "../testing/program";
import { makeRepository } from "../testing/repository";
import { node } from "../testing/session";
import { sessionProcesses } from "./process/processes";

/** Everything here is real: the built agent, the built API on its database, git, terminals, bash. */
const api = useApi();

/** Counts, one line every 20 ms, until `stop` is typed; lasts longer than any outage here. */
const COUNTING = `
  let n = 0;
  const timer = setInterval(() => console.log("line " + ++n + " ünï " + "x".repeat(200)), 20);
  process.stdin.on("data", () => { clearInterval(timer); console.log("last " + n); process.exit(3); });`;

const agents = {
  bash: { command: ["bash", "--norc", "--noprofile", "-i"], prompt: "typed" },
  counter: { command: node(COUNTING, "--", "{prompt}") },
  // The grandchild has a session of its own, and ignores a closing terminal.
  stubborn: {
    command: node(
      `require("node:child_process").spawn("sh", ["-c", "trap '' TERM HUP; while :; do sleep 1; done"],
        { detached: true, stdio: "ignore" });
      process.on("SIGHUP", () => {});
      setInterval(() => {}, 1000);
      console.log("ready");`,
      "--",
      "{prompt}",
    ),
  },
};

/** A machine with these agents, a workspace, and a running agent. */
async function startMachine() {
  const machine = await registerMachine(api);
  const config = join(machine.env.GROVE_HOME, "config.json");
  const claude = { command: [await writeScriptedClaude(machine.directory), "--", "{prompt}"] };
  await writeFile(config, JSON.stringify({ agents: { ...agents, claude }, defaultAgent: "bash" }));
  await chmod(config, 0o600);
  const agent = startAgent(machine.env);
  await agent.waitForLine('"connected"');
  const repository = await makeRepository(join(machine.directory, "app"));
  const project = JSON.parse(
    (await groveDevice(["project", "add", "--json", repository], machine.env)).stdout,
  ) as { id: string };
  const made = await run(machine, "create_workspace", {
    projectId: project.id,
    workspaces: [{ name: "one" }],
  });
  const [workspace] = made.workspaces as { id: string; path: string }[];
  if (!workspace) throw new Error("no workspace was made");
  return { machine, agent, workspace, projectId: project.id };
}

async function run(
  { client, organizationId, deviceId }: TestMachine,
  tool: DeviceToolName,
  params: Record<string, unknown>,
) {
  const command = await client.agent.execute.mutate({ organizationId, deviceId, tool, params });
  if (command.status !== "succeeded") throw new Error(`${command.status}: ${JSON.stringify(command.error)}`);
  return command.result as Record<string, unknown>;
}

/** Starts an agent, and follows its output as a client does, across restarts of the API. */
async function startSession(machine: TestMachine, workspaceId: string, agent?: string, prompt = "go") {
  const { client, organizationId } = machine;
  const started = await run(machine, "start_agent_session", { workspaceId, prompt, ...(agent && { agent }) });
  const key = { organizationId, id: String(started.sessionId) };
  const chunks: { sequence: number; data: string }[] = [];
  let end: AgentSession | undefined;
  const watcher = createClient({ apiUrl: api.url, token: machine.apiKey });
  const watching = watcher.agent.sessionOutput.subscribe(key, {
    onData: ({ data }: { data: SessionOutputEvent }) => {
      if (data.type === "output") chunks.push(data);
      else if (data.type === "end") end = data.session;
    },
  });
  const output = () => chunks.map(({ data }) => data).join("");
  return {
    ...key,
    pid: Number(started.pid),
    chunks,
    output,
    said: (words: string) => until(() => output().includes(words)),
    ended: () => until(() => end).finally(() => watching.unsubscribe()),
    read: () => client.agent.getSession.query(key),
    type: (text: string) => client.agent.sendInput.mutate({ ...key, text, screen: "live" }),
    processes: () => sessionProcesses({ sessionId: key.id }),
  };
}

it("a plain terminal at its prompt does not count as waiting for input, unlike an agent", async () => {
  const { machine, workspace } = await startMachine();
  const { client, organizationId } = machine;
  const started = await run(machine, "start_agent_session", { workspaceId: workspace.id, agent: "shell" });
  const terminal = { organizationId, id: String(started.sessionId) };
  const agent = await startSession(machine, workspace.id, "bash", "echo one");
  const waits = async () => (await agent.read()).waitingForInput;
  await until(waits);
  await until(async () => {
    const { sessions } = await run(machine, "get_app_context", {});
    return (sessions as { waitingForInput: boolean }[]).every(({ waitingForInput }) => waitingForInput);
  });
  // A report of the terminal would arrive before this one of the agent.
  await agent.type("echo two\r");
  await agent.said("two");
  await until(async () => !(await waits()));
  await until(waits);
  expect(await client.agent.getSession.query(terminal)).toMatchObject({
    status: "running",
    waitingForInput: false,
  });
});

it("an agent's request for permission is answered over the API, and its turns leave restore points", async () => {
  const { machine, workspace } = await startMachine();
  const { client, organizationId } = machine;
  const tool = { tool_name: "Bash", tool_input: { command: "npm test" } };
  const prompt = scripted({ ask: tool }, { key: true }, { hook: ["Stop"] });
  const session = await startSession(machine, workspace.id, "claude", prompt);
  const activity = async () => (await session.read()).activity?.state;
  const request = await until(
    async () =>
      (await client.agent.listRequests.query({ organizationId, sessionId: session.id, status: "open" }))[0],
  );
  expect(request).toMatchObject({ title: "Bash: npm test", isAnswerable: true });
  expect(await activity()).toBe("needs_permission");
  const answered = await client.agent.answerRequest.mutate({
    organizationId,
    id: request.id,
    answer: { decision: "allow" },
  });
  expect(answered).toMatchObject({ status: "answered", delivery: "delivered" });
  await session.said('decision {"behavior":"allow"}');
  await until(async () => (await activity()) === "working");
  await writeFile(join(workspace.path, "made.txt"), "by the agent");
  await session.type("x");
  await until(async () => (await activity()) === "done");
  await until(async () => {
    const { points } = await run(machine, "list_points", { workspaceId: workspace.id });
    return (points as { kind: string; files?: number }[]).filter(({ kind }) => kind === "turn").length >= 2;
  });
});

it("bash over the cloud: typed prompt, secrets, input, resize, waiting, context, stop", async () => {
  const { machine, workspace, projectId, agent } = await startMachine();
  const { client, organizationId } = machine;
  await client.project.setSecret.mutate({ organizationId, projectId, key: "TOKEN", value: "hunter2-secret" });
  const session = await startSession(machine, workspace.id, undefined, "pwd; printenv TOKEN | wc -c");
  await session.said(workspace.path);
  await session.said("15");
  await until(async () => (await session.read()).waitingForInput);
  expect((await run(machine, "get_app_context", {})).sessions).toMatchObject([
    { id: session.id, workspaceId: workspace.id, agent: "bash", waitingForInput: true },
  ]);
  await client.agent.resizeSession.mutate({ organizationId, id: session.id, columns: 77, rows: 22 });
  await session.type("stty size; sleep 1000 &\r");
  await session.said("22 77");
  await until(async () => (await session.processes()).length === 2);
  const screen = await run(machine, "get_agent_screen", { sessionId: session.id, length: 1_000 });
  expect(screen).toEqual({
    output: expect.stringMatching(/^22 77$/m),
    truncated: false,
    screen: expect.any(Number),
  });
  const details = await run(machine, "get_workspace_details", { workspaceId: workspace.id });
  expect(details.sessions).toMatchObject([
    { id: session.id, status: "running", output: expect.stringContaining("22 77") },
  ]);
  await client.agent.stopSession.mutate({ organizationId, id: session.id });
  expect(await session.processes()).toEqual([]);
  expect(await session.ended()).toMatchObject({ status: "stopped", waitingForInput: false, agent: "bash" });
  expect(agent.stderr).not.toContain("hunter2-secret");
});

it("kill -9 of the API: the session continues, and its output is complete, in order and without duplicates", async () => {
  const { machine, workspace } = await startMachine();
  const session = await startSession(machine, workspace.id, "counter");
  await session.said("line 20");
  const before = session.chunks.length;
  await api.stop("SIGKILL");
  await api.start();
  await until(() => session.chunks.length > before + 5);
  const typed = () =>
    session.type("stop\r").then(
      () => true,
      () => false,
    );
  await until(typed);
  expect(await session.ended()).toMatchObject({ status: "exited", exitCode: 3 });
  const numbers = [...session.output().matchAll(/line (\d+) ünï/g)].map(([, n]) => Number(n));
  expect(session.output()).toContain(`last ${numbers.length}`);
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});

it("kill -9 of the device agent: no process is left, and the session ends as interrupted", async () => {
  const { machine, workspace, agent } = await startMachine();
  const session = await startSession(machine, workspace.id, "stubborn");
  await session.said("ready");
  expect((await session.processes()).length).toBeGreaterThan(1);
  await agent.end("SIGKILL");
  expect((await session.read()).status).toBe("running");
  const second = startAgent(machine.env);
  await second.waitForLine('"connected"');
  expect(await session.ended()).toMatchObject({
    status: "failed",
    exitCode: null,
    error: { reason: "interrupted" },
  });
  expect(await session.processes()).toEqual([]);
});

it("grove-device workspace delete sees the agent's sessions, and with --force ends them", async () => {
  const { machine, workspace } = await startMachine();
  const session = await startSession(machine, workspace.id, "counter");
  await session.said("line 5");
  const remove = (...flags: string[]) =>
    groveDevice(["workspace", "delete", ...flags, workspace.id], machine.env);
  const refused = await remove();
  expect([refused.code, refused.stdout + refused.stderr]).toEqual([1, expect.stringContaining(session.id)]);
  expect((await remove("--force")).code).toBe(0);
  expect(await session.processes()).toEqual([]);
  expect(await session.ended()).toMatchObject({ status: "failed", error: { reason: "killed" } });
});

it("a device agent that gets SIGTERM ends its sessions and reports that before it exits", async () => {
  const { machine, workspace, agent } = await startMachine();
  const session = await startSession(machine, workspace.id, "counter");
  await session.said("line 5");
  expect(await agent.end("SIGTERM")).toBe(0);
  expect(await session.read()).toMatchObject({ status: "failed", error: { reason: "interrupted" } });
  expect(await session.processes()).toEqual([]);
});
