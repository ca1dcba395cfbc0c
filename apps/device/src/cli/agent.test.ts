import { randomUUID as newId } from "node:crypto";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import type { DeviceToolName, DeviceToolResult } from "@grove/schemas";
import { useApi } from "@grove/test-api";
import { type ScriptStep, scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { describe, expect, it, onTestFinished } from "vitest";
import { isThere } from "../lib/fileSystem";
import { runProgram } from "../lib/program";
import { hookProgram } from "../testing/deps";
import { groveDevice, registerMachine, startAgent } from "../testing/program";
import { commit, git, makeRepository } from "../testing/repository";

/** Everything here is real: the built device agent, the built API on its database, git. */
const api = useApi();

/** Writes a program `claude` that records its environment as lines, and then is the scripted one. */
async function writeAgent(envFile: string): Promise<string> {
  const scriptedClaude = await writeScriptedClaude(await temporaryDirectory());
  const program = join(await temporaryDirectory(), "claude");
  const recorded = `[ -z "$GROVE_HOOK_TOKEN" ] || env | grep ^GROVE_ > '${envFile}'`;
  await writeFile(program, `#!/bin/sh\n${recorded}\nexec '${scriptedClaude}' "$@"\n`);
  await chmod(program, 0o755);
  return program;
}

/** A machine with a running agent session in a workspace. `inSession` runs `grove-device agent` as that agent does. */
async function startSession(steps: ScriptStep[] = [{ hook: ["Stop"] }, { prompt: true }], config = {}) {
  const machine = await registerMachine(api);
  const { client, organizationId, deviceId, directory } = machine;
  const envFile = join(directory, "env");
  const program = await writeAgent(envFile);
  const agents = { claude: { command: [program, "--", "{prompt}"] } };
  await writeFile(join(machine.env.GROVE_HOME, "config.json"), JSON.stringify({ agents, ...config }), {
    mode: 0o600,
  });
  const device = startAgent(machine.env);
  await device.waitForLine('"connected"');
  const repository = await makeRepository(join(directory, "app"));
  const added = await groveDevice(["project", "add", "--json", repository], machine.env);
  const execute = async <Name extends DeviceToolName>(tool: Name, params: Record<string, unknown>) => {
    const { result } = await client.agent.execute.mutate({ organizationId, deviceId, tool, params });
    return result as DeviceToolResult<Name>;
  };
  const { workspaces } = await execute("create_workspace", {
    projectId: JSON.parse(added.stdout).id,
    workspaces: [{ name: "login" }],
  });
  const { id: workspaceId = "", path = "" } = workspaces[0] ?? {};
  const start = { workspaceId, agent: "claude", prompt: scripted(...steps) };
  const { sessionId } = await execute("start_agent_session", start);
  await until(() => isThere(envFile));
  const lines = (await until(async () => (await readFile(envFile, "utf8")) || undefined)).split("\n");
  const env = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s)));
  expect(env.GROVE_SESSION_ID).toBe(sessionId);
  const inSession = (...args: string[]) => groveDevice(["agent", ...args], env);
  return { ...machine, device, env, path, workspaceId, sessionId, execute, inSession };
}

/** Such a session, whose agent has got a comment on the whole change. */
async function startReviewedSession() {
  const session = await startSession();
  const { client, organizationId, workspaceId, sessionId, path } = session;
  const [change] = await client.workspace.change.list.query({ organizationId, workspaceId });
  const of = { organizationId, changeId: change?.id ?? "" };
  const head = await git(["rev-parse", "HEAD"], { cwd: path });
  const save = async (body: string) => {
    const id = newId();
    await client.workspace.review.save.mutate({ ...of, id, anchor: { point: head.trim() }, body });
    return id;
  };
  const id = await save("Check for a locked account.");
  const key = { organizationId, id: sessionId };
  await until(async () => (await client.agent.getSession.query(key)).activity?.state === "done");
  const round = await client.workspace.review.send.mutate({ ...of, sessionId });
  expect(round.status).toBe("delivered");
  const readChange = () => client.workspace.change.get.query({ organizationId, id: of.changeId });
  return { ...session, id, save, readChange };
}

it("an agent without MCP lists, answers and finishes in its session's terminal", async () => {
  const { inSession, id, save, path, readChange } = await startReviewedSession();
  const [comment] = JSON.parse((await inSession("comments", "--json")).stdout);
  const { author } = comment;
  const body = "Check for a locked account.";
  expect(comment).toEqual({ id, at: "the whole change", author: expect.any(String), body, answer: null });
  expect(await inSession("comments")).toMatchObject({
    code: 0,
    stdout: `[${id}] the whole change\n${author}: ${body}\n`,
  });

  await commit(path, "login.ts", "locked();\n");
  const head = (await git(["rev-parse", "HEAD"], { cwd: path })).trim();
  const answered = await inSession("answer", id, "fixed", "--commit", head.slice(0, 10));
  expect(answered).toMatchObject({ code: 0, stdout: `Answered ${id}: fixed ${head}.\n` });
  expect(JSON.parse((await inSession("comments", "--json")).stdout)).toMatchObject([
    { answer: { state: "fixed", commit: head, body: "" } },
  ]);
  await inSession("answer", id, "question", "--body", "Which account?");
  expect((await inSession("comments")).stdout).toContain("\nYour answer: question Which account?\n");

  const unknown = await inSession("answer", id, "fixed", "--commit", "d".repeat(40));
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("Commit in the workspace")]);
  const draft = await inSession("answer", await save("Later"), "fixed");
  expect([draft.code, draft.stderr]).toEqual([1, expect.stringContaining("Answer only the comments of")]);
  const missing = await inSession("answer", newId(), "fixed");
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringContaining("`grove-device agent comments` lists the open ones."),
  ]);

  const tests = ["npm test: 34 passed", "by hand"];
  const finished = await inSession(
    "finish",
    "--summary",
    "Done.",
    ...tests.flatMap((one) => ["--test", one]),
  );
  expect(finished).toMatchObject({ code: 0, stdout: "The work on grove/login is reported as done.\n" });
  expect(await readChange()).toMatchObject({ summary: "Done.", tests });
});

it("works without hooks, until the session has ended", async () => {
  const config = { hooks: { claude: false } };
  const { inSession, env, execute, sessionId, device, client, organizationId } = await startSession(
    [{ prompt: true }],
    config,
  );
  expect(await inSession("comments")).toMatchObject({ code: 0, stdout: "No open review comments.\n" });
  expect(JSON.parse((await inSession("comments", "--json")).stdout)).toEqual([]);
  const other = await groveDevice(["agent", "comments"], { ...env, GROVE_HOOK_TOKEN: newId() });
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringContaining("session has ended. Start another"),
  ]);

  // A hook that the user has installed: this session takes none, and the agent's own prompt decides.
  const request = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } };
  const hook = runProgram(process.execPath, [hookProgram], { env, input: JSON.stringify(request) });
  expect(await hook).toMatchObject({ code: 0, stdout: "" });

  await api.stop("SIGTERM");
  const offline = await inSession("comments");
  expect([offline.code, offline.stderr]).toEqual([
    1,
    expect.stringMatching(/Got no answer from Grove.*sending it again later/),
  ]);
  await api.start();
  await until(async () => (await client.device.list.query({ organizationId }))[0]?.status === "online");

  await execute("stop_agent_session", { sessionId });
  const ended = await inSession("finish", "--summary", "Done.");
  expect([ended.code, ended.stderr]).toEqual([
    1,
    expect.stringContaining("session has ended. Start another"),
  ]);
  await device.end("SIGTERM");
  const gone = await inSession("comments");
  expect([gone.code, gone.stderr]).toEqual([
    1,
    expect.stringMatching(/^Could not reach.*then try again\.\n$/),
  ]);
});

describe("wrong usage", () => {
  const id = newId();
  const session = { GROVE_HOOK_SOCKET: "/nowhere/s", GROVE_HOOK_TOKEN: "t" };

  it.each([[["comments"]], [["answer", id, "fixed"]], [["finish", "--summary", "Done."]]])(
    "outside of a session: %j",
    async (args) => {
      const none = { GROVE_HOOK_SOCKET: "", GROVE_HOOK_TOKEN: "" };
      const { code, stderr } = await groveDevice(["agent", ...args], none);
      expect([code, stderr]).toEqual([2, expect.stringContaining("this is no agent session")]);
    },
  );

  it.each([
    [["answer", id, "done"], "state"],
    [["answer", "7", "fixed"], "id:"],
    [["answer", id, "declined"], "body: must not be empty"],
    [["answer", id, "question", "--body", "Why?", "--commit", "d".repeat(40)], "commit: is only for"],
    [["answer", id, "fixed", "--commit", "main"], "commit:"],
    [["finish"], "--summary"],
    [["finish", "--summary", " "], "summary: must not be empty"],
  ])("%j", async (args, words) => {
    const { code, stderr } = await groveDevice(["agent", ...args], session);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: /)]);
    expect(stderr).toContain(words);
  });
});

it("reports a device agent that does not understand it", async () => {
  const path = join(await temporaryDirectory(), "s");
  const older = createServer((socket) => void socket.once("data", () => socket.end())).listen(path);
  onTestFinished(() => void older.close());
  await until(() => older.listening);
  const env = { GROVE_HOOK_SOCKET: path, GROVE_HOOK_TOKEN: "t" };
  const { code, stderr } = await groveDevice(["agent", "comments"], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining("older than this command")]);
});
