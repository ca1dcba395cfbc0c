import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isRunning } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { until } from "@grove/testing/until";
import { expect, it, onTestFinished } from "vitest";
import { openHome } from "../home/home";
import { hookProgram } from "../testing/deps";
import { silent } from "../testing/log";
import { type HookEvent, HookServer } from "./hookServer";

const permission = { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "ls" } };

/** A server with one registered session, and the events that it receives. */
async function startServer(name = "home") {
  const home = await openHome(join(await temporaryDirectory(), name));
  const server = await HookServer.open(home, {}, silent);
  if (!server) throw new Error("There is no socket.");
  onTestFinished(() => server.close());
  const events: HookEvent[] = [];
  const { token } = server.register({
    onEvent: (event) => void events.push(event),
    onRequest: async (request) => ({ result: request }),
  });
  return { server, events, env: { GROVE_HOOK_SOCKET: server.path, GROVE_HOOK_TOKEN: token }, home };
}

/** Runs the helper as an agent does, with an event on its stdin. */
function runHelper(env: NodeJS.ProcessEnv, input: unknown) {
  const child = spawn(process.execPath, [hookProgram], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  const ended = once(child, "close").then(([code]) => ({ code, output }));
  return { child, ended };
}

/** The agent then behaves as if Grove did not exist. */
const nothing = { code: 0, output: "" };

it("forwards an event, even one with a very large tool result", async () => {
  const { env, events } = await startServer();
  const input = {
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: "a" },
    tool_response: { content: "x".repeat(5_000_000) },
  };
  expect(await runHelper(env, input).ended).toEqual(nothing);
  await until(() => events.length === 1);
  expect(events[0]?.input).toEqual({
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: "a" },
  });
});

it("leaves out an input of more than a megabyte", async () => {
  const { env, events } = await startServer();
  const input = {
    ...permission,
    hook_event_name: "PreToolUse",
    tool_input: { content: "ü".repeat(700_000) },
  };
  expect(await runHelper(env, input).ended).toEqual(nothing);
  await until(() => events.length === 1);
  expect(events[0]?.input).toMatchObject({ tool_name: "Bash", tool_input: {} });
});

it("holds a permission request, and prints its answer once", async () => {
  const { env, events } = await startServer();
  const { ended } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  expect(await held?.answer('{"a":"ü\\n"}')).toBe("printed");
  expect(await ended).toEqual({ code: 0, output: '{"a":"ü\\n"}' });
  expect(await held?.answer("again")).toBe("not_printed");
});

it("reports that an answer did not arrive if the agent has ended the hook", async () => {
  const { env, events } = await startServer();
  const { child, ended } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  child.kill("SIGKILL");
  await ended;
  expect(await held?.ended).toBe("closed");
  expect(await held?.answer("late")).toBe("not_printed");
});

it("does not know whether the agent got an answer if the hook ends right after it was sent", async () => {
  const { env, events } = await startServer();
  const { child } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  child.kill("SIGSTOP");
  const answered = held?.answer("{}");
  // The answer is sent after this process has read what the hook sent.
  await setImmediate();
  child.kill("SIGKILL");
  expect(await answered).toBe("unknown");
});

it("reports an answer that was printed while this process was too slow", async () => {
  const { env, events } = await startServer();
  const { child, ended } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  const answered = held?.answer("{}");
  await setImmediate();
  // Nothing is read or written until the hook has ended and a sign of life is due.
  const end = performance.now() + 1_000;
  while (isRunning(child.pid ?? 0) || performance.now() < end)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  expect(await answered).toBe("printed");
  expect(await ended).toEqual({ code: 0, output: "{}" });
});

it("lets go without an answer", async () => {
  const { env, events } = await startServer();
  const { ended } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  held?.release();
  expect(await ended).toEqual(nothing);
});

it("decides nothing if the device agent ends while the hook waits", async () => {
  const { env, events, server } = await startServer();
  const { ended } = runHelper(env, permission);
  await until(() => events[0]);
  await server.close();
  expect(await ended).toEqual(nothing);
});

it("decides nothing if the device agent is stopped: the connection is open, and nothing arrives", async () => {
  const path = join(await temporaryDirectory(), "s");
  const silentServer = createServer(() => {}).listen(path);
  await once(silentServer, "listening");
  onTestFinished(() => void silentServer.close());
  const { ended } = runHelper({ GROVE_HOOK_SOCKET: path, GROVE_HOOK_TOKEN: "t" }, permission);
  expect(await ended).toEqual(nothing);
});

it("reports that the prompt is still open if the hook gave up because this process was too slow", async () => {
  const { env, events } = await startServer();
  const { ended } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  // Nothing is read or written during this time, as in a process that is stopped.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  expect(await held?.ended).toBe("gave_up");
  expect(await ended).toEqual(nothing);
});

it("reports that an answer came too late for a hook that gave up because this process was too slow", async () => {
  const { env, events } = await startServer();
  const { child, ended } = runHelper(env, permission);
  const { held } = await until(() => events[0]);
  while (isRunning(child.pid ?? 0)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  expect(await held?.answer("{}")).toBe("not_printed");
  expect(await ended).toEqual(nothing);
});

it("waits for a device agent that runs but is slow, and leaves one that is stopped", async () => {
  const { env, events } = await startServer();
  const { ended } = runHelper({ ...env, GROVE_HOOK_PID: `${process.pid}` }, permission);
  const { held } = await until(() => events[0]);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
  expect(await held?.answer("{}")).toBe("printed");
  expect(await ended).toEqual({ code: 0, output: "{}" });

  const stopped = spawn("sleep", ["1000"]);
  onTestFinished(() => void stopped.kill("SIGKILL"));
  stopped.kill("SIGSTOP");
  const path = join(await temporaryDirectory(), "s");
  const silentServer = createServer(() => {}).listen(path);
  await once(silentServer, "listening");
  onTestFinished(() => void silentServer.close());
  const left = runHelper(
    { GROVE_HOOK_SOCKET: path, GROVE_HOOK_TOKEN: "t", GROVE_HOOK_PID: `${stopped.pid}` },
    permission,
  );
  expect(await left.ended).toEqual(nothing);
});

it.each<[string, object, unknown]>([
  ["there is no socket", { GROVE_HOOK_SOCKET: "/nowhere/s", GROVE_HOOK_TOKEN: "t" }, permission],
  ["the agent was not started by Grove", { GROVE_HOOK_SOCKET: "", GROVE_HOOK_TOKEN: "" }, permission],
  ["the event is not JSON", {}, "not json"],
  ["there is no event", {}, ""],
  ["the event is unknown", {}, { hook_event_name: "PermissionRequest" }],
  ["the token names no session", { GROVE_HOOK_TOKEN: "other" }, permission],
])("decides nothing if %s", async (_, env, input) => {
  const server = await startServer();
  expect(await runHelper({ ...server.env, ...env }, input).ended).toEqual(nothing);
  expect(server.events).toEqual([]);
});

it("is for this user alone, even where the home's path is too long for a socket", async () => {
  const usual = await startServer();
  expect(usual.server.path.startsWith(usual.home.runDir)).toBe(true);
  expect((await stat(usual.server.path)).mode & 0o777).toBe(0o600);
  const { server, env, events } = await startServer("long".repeat(30));
  expect(Buffer.byteLength(server.path)).toBeLessThan(104);
  expect((await stat(join(server.path, ".."))).mode & 0o777).toBe(0o700);
  await runHelper(env, { hook_event_name: "Stop" }).ended;
  await until(() => events.length === 1);
});
