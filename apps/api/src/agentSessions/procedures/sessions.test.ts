import { isDeepStrictEqual } from "node:util";
import { newId } from "@grove/db";
import {
  type DeviceToolName,
  type SessionOutputEvent,
  type SessionOutputsEvent,
  sessionOutputLimits,
  sessionPace,
} from "@grove/schemas";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");
const capabilities = [
  "start_agent_session",
  "get_agent_screen",
  "send_agent_input",
  "resize_agent_session",
  "stop_agent_session",
];

const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

/** A connected device with a workspace on it, whose project has a secret. */
async function machine() {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = connectDevice(server.url, apiKey, { capabilities });
  connected.push(device);
  await untilStatus(ada.client, organizationId, id, "online");
  const workspace = {
    id: newId(),
    name: "tree",
    type: "worktree" as const,
    config: { branchName: "quiet-fern" },
  };
  const { projectId } = await device.client.workspace.ensure.mutate({
    organizationId,
    project: projectFields(),
    workspace,
  });
  await ada.client.project.setSecret.mutate({ organizationId, projectId, key: "TOKEN", value: "hunter2" });
  return { id, device, workspaceId: workspace.id, projectId };
}

/** A session that was begun for a command of Ada's. */
async function running(taskId?: string) {
  const { id: deviceId, device, workspaceId } = await machine();
  const command = await ada.client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "start_agent_session",
    params: { workspaceId, prompt: "do it", ...(taskId && { taskId }) },
    waitMs: 0,
  });
  await begin(await device.event("command"), device);
  const id = newId();
  const { journalId } = device;
  const start = {
    type: "start" as const,
    id,
    journalId,
    workspaceId,
    agent: "claude",
    commandId: command.id,
  };
  await device.client.agent.reportSession.mutate(start);
  const report = (sequence: number, data: string) =>
    device.client.agent.reportSession.mutate({ type: "output", id, sequence, data });
  const end = () =>
    device.client.agent.reportSession.mutate({ type: "end", id, status: "exited", exitCode: 3 });
  const output = (lastEventId?: number) =>
    watch<SessionOutputEvent>((handlers) =>
      ada.client.agent.sessionOutput.subscribe({ organizationId, id, lastEventId }, handlers),
    );
  return { id, deviceId, device, workspaceId, command, start, report, end, output };
}

const textOf = (events: { data: { type: string; data?: string } }[]) =>
  events.map(({ data }) => data.data ?? "").join("");

describe("agent.reportSession", () => {
  it("records who started it for which task, once, and its end", async () => {
    const { id: taskId } = await ada.client.task.create.mutate({ organizationId, title: "Do it" });
    const { id, deviceId, device, workspaceId, start, end } = await running(taskId);
    await device.client.agent.reportSession.mutate(start);
    const session = await bob.client.agent.getSession.query({ organizationId, id });
    expect(session).toMatchObject({
      deviceId,
      workspaceId,
      taskId,
      agent: "claude",
      status: "running",
      startedBy: ada.user.id,
      exitCode: null,
      endedAt: null,
    });
    const list = (status: "running" | "exited") =>
      bob.client.agent.listSessions.query({ organizationId, deviceId, workspaceId, status });
    expect(await list("running")).toEqual([session]);
    const ofTask = (id: string) => bob.client.agent.listSessions.query({ organizationId, taskId: id });
    expect([await ofTask(taskId), await ofTask(newId())]).toEqual([[session], []]);
    await end();
    const [ended] = await list("exited");
    expect(ended).toMatchObject({ id, exitCode: 3 });
    await end();
    await device.client.agent.reportSession.mutate({ type: "end", id, status: "failed" });
    expect(await list("exited")).toEqual([ended]);
  });

  it("sets the task in progress, with the workspace's branch, once, and notifies watchers", async () => {
    const watcher = watch((handlers) => ada.client.task.watch.subscribe({ organizationId }, handlers));
    await watcher.ready();
    const task = await ada.client.task.create.mutate({ organizationId, title: "Do it" });
    const read = () => ada.client.task.get.query({ organizationId, id: task.id });
    const { device, start } = await running(task.id);
    const begun = await read();
    expect(begun).toMatchObject({
      status: "in_progress",
      branch: "quiet-fern",
      startedAt: expect.any(String),
    });
    await watcher.event((news) => isDeepStrictEqual(news, { type: "updated", task: begun }));
    watcher.stop();
    const moved = await ada.client.task.update.mutate({ organizationId, id: task.id, status: "in_review" });
    await device.client.agent.reportSession.mutate(start);
    expect(await read()).toEqual(moved);
    await running(task.id);
    expect((await read()).status).toBe("in_review");
  });

  it("is refused for sessions of other devices", async () => {
    const { id, start } = await running();
    const other = await machine();
    const { client, journalId } = other.device;
    const { agent } = client;
    for (const report of [
      () => agent.reportSession.mutate(start),
      () => agent.reportSession.mutate({ ...start, workspaceId: other.workspaceId }),
      () =>
        agent.reportSession.mutate({
          ...start,
          journalId,
          workspaceId: other.workspaceId,
          commandId: undefined,
        }),
      () => agent.reportSession.mutate({ type: "output", id, sequence: 1, data: "x" }),
      () => agent.reportSession.mutate({ type: "end", id, status: "exited" }),
    ])
      expect(await failure(report())).toMatchObject({ code: "NOT_FOUND" });
  });
});

it("a session's task is one of the organization's, and is forgotten when that is deleted", async () => {
  const carl = await server.signUp("Carl");
  const elsewhere = await carl.client.task.create.mutate({
    organizationId: carl.organizationId,
    title: "Elsewhere",
  });
  for (const taskId of [newId(), elsewhere.id]) {
    const { id } = await running(taskId);
    expect(await ada.client.agent.getSession.query({ organizationId, id })).toMatchObject({ taskId: null });
  }
  const { id: taskId } = await ada.client.task.create.mutate({ organizationId, title: "Do it" });
  const { id } = await running(taskId);
  await server.database.db.deleteFrom("tasks").where("id", "=", taskId).execute();
  expect(await ada.client.agent.getSession.query({ organizationId, id })).toMatchObject({ taskId: null });
});

it("a session that waits for input shows it until it ends, and a failed one shows why", async () => {
  const { id, device } = await running();
  const { agent } = device.client;
  const read = () => ada.client.agent.getSession.query({ organizationId, id });
  expect(await read()).toMatchObject({ waitingForInput: false, error: null });
  await agent.reportSession.mutate({ type: "waiting", id, waitingForInput: true });
  expect(await read()).toMatchObject({ status: "running", waitingForInput: true });
  const error = { reason: "interrupted", message: "The device agent ended." };
  await agent.reportSession.mutate({ type: "end", id, status: "failed", error });
  expect(await read()).toMatchObject({ status: "failed", waitingForInput: false, error });
  await agent.reportSession.mutate({ type: "waiting", id, waitingForInput: true });
  expect(await read()).toMatchObject({ waitingForInput: false });
});

it("a session's last lines are shown while it waits, to users who may read its output, without hidden characters", async () => {
  const { id, device, deviceId } = await running();
  const { agent } = device.client;
  const asked = async (person: typeof ada) => {
    const { questionText } = await person.client.agent.getSession.query({ organizationId, id });
    const [listed] = await person.client.agent.listSessions.query({ organizationId, deviceId });
    expect(listed?.questionText).toBe(questionText);
    return questionText;
  };
  const wait = (questionText?: string) =>
    agent.reportSession.mutate({
      type: "waiting",
      id,
      waitingForInput: true,
      ...(questionText && { questionText }),
    });
  await wait("Edit auth.ts?\n\u001b[31m\u202eYes\u0000\t\ud800");
  expect(await asked(ada)).toBe("Edit auth.ts?\n[31mYes\ufffd");
  expect(await asked(bob)).toBeNull();
  await wait();
  expect(await asked(ada)).toBeNull();
  await wait("Sure?");
  await agent.reportSession.mutate({ type: "waiting", id, waitingForInput: false, questionText: "Sure?" });
  expect(await asked(ada)).toBeNull();
  await wait("Sure?");
  await agent.reportSession.mutate({ type: "end", id, status: "exited" });
  expect(await asked(ada)).toBeNull();
  expect(await failure(wait("x".repeat(501)))).toMatchObject({ code: "BAD_REQUEST" });
});

it("another journal on the device ends the sessions of the previous one, which can start no others", async () => {
  const { id, deviceId, device, start } = await running();
  const watcher = watch<SessionOutputEvent>((handlers) =>
    ada.client.agent.sessionOutput.subscribe({ organizationId, id }, handlers),
  );
  await device.client.agent.reportSession.mutate({
    type: "waiting",
    id,
    waitingForInput: true,
    questionText: "Edit?",
    screen: 7,
  });
  device.disconnect();
  const { apiKey } = await ada.client.device.rotateKey.mutate({ organizationId, id: deviceId });
  const again = connectDevice(server.url, apiKey, { capabilities, journalId: device.journalId });
  connected.push(again);
  await again.event("beat");
  expect(await ada.client.agent.getSession.query({ organizationId, id })).toMatchObject({
    status: "running",
  });
  again.disconnect();
  const copy = connectDevice(server.url, apiKey, { capabilities });
  connected.push(copy);
  const end = await watcher.event((event) => event.type === "end");
  expect(end.data).toMatchObject({
    session: { id, status: "failed", error: { reason: "device_replaced" }, questionText: null, screen: null },
  });
  expect(await failure(again.client.agent.reportSession.mutate({ ...start, id: newId() }))).toMatchObject({
    reason: "journal_mismatch",
  });
});

describe("agent.sessionOutput", () => {
  it("sends the kept chunks, the new ones, and the end; repeated chunks add nothing", async () => {
    const { report, end, output, id } = await running();
    await report(1, "one ");
    await report(2, "two \0\ud800 ");
    await report(1, "one ");
    const watcher = output();
    await watcher.event((event) => event.type === "output" && event.sequence === 2);
    await report(3, "three");
    await report(3, "three");
    await end();
    const last = await watcher.event((event) => event.type === "end");
    expect(last.data).toMatchObject({ session: { id, status: "exited", exitCode: 3 } });
    expect(textOf(watcher.events)).toBe("one two \ufffd three");
  });

  it("is announced, and requested immediately, only while someone watches", async () => {
    const { id, device, report, end, output } = await running();
    const announced: string[] = [];
    const unsubscribe = server.database.notifier.subscribe("session_changed", id, () => announced.push(id));
    expect(await report(1, "nobody ")).toEqual({ success: true, paceMs: sessionPace.unwatchedMs });
    // Announcements arrive in order, and this one is always made.
    await device.client.agent.reportSession.mutate({ type: "waiting", id, waitingForInput: true });
    await expect.poll(() => announced).toHaveLength(1);
    const watcher = output();
    expect(await device.event("watch")).toEqual({ type: "watch", sessionId: id });
    expect(await report(2, "somebody")).toEqual({ success: true, paceMs: sessionPace.watchedMs });
    await watcher.event((event) => event.type === "output" && event.sequence === 2);
    await expect.poll(() => announced).toHaveLength(2);
    unsubscribe();
    // A second viewer does not wake the device again.
    const second = output();
    await second.event((event) => event.type === "output" && event.sequence === 2);
    await end();
    await second.event((event) => event.type === "end");
    expect(device.events.filter(({ type }) => type === "watch")).toHaveLength(1);
    expect(textOf(watcher.events)).toBe("nobody somebody");
  });

  it("resumes after the last received chunk while more arrive, without a gap or a duplicate", async () => {
    const { report, end, output } = await running();
    const reporting = async () => {
      for (let sequence = 1; sequence <= 120; sequence++) await report(sequence, `${sequence},`);
      await end();
    };
    const done = reporting();
    let last = 0;
    let text = "";
    for (let cut = 0; cut < 5; cut++) {
      const watcher = output(last);
      await watcher.event((event) => event.type === "output" && event.sequence >= last + 7);
      watcher.stop();
      text += textOf(watcher.events);
      last = Number(watcher.events.at(-1)?.id);
    }
    const watcher = output(last);
    await watcher.event((event) => event.type === "end");
    await done;
    expect(text + textOf(watcher.events)).toBe(Array.from({ length: 120 }, (_, at) => `${at + 1},`).join(""));
  });

  it("sends the terminal's size first, and again after each change", async () => {
    const { id, device, report, output } = await running();
    await report(1, "one");
    const watcher = output();
    await watcher.event((event) => event.type === "output");
    const resizing = ada.client.agent.resizeSession.mutate({ organizationId, id, columns: 90, rows: 30 });
    const order = await device.event("command", ({ tool }) => tool === "resize_agent_session");
    await begin(order, device);
    await device.client.agent.complete.mutate({
      id: order.id,
      journalId: device.journalId,
      result: { success: true },
    });
    await resizing;
    await watcher.event((event) => event.type === "size" && event.columns === 90);
    const sizes = watcher.events.flatMap(({ data }) => (data.type === "size" ? [data] : []));
    expect(sizes).toEqual([
      { type: "size", columns: 120, rows: 40 },
      { type: "size", columns: 90, rows: 30 },
    ]);
    expect(watcher.events[0]?.data.type).toBe("size");
  });

  it("keeps the last 256 KiB", async () => {
    const { report, end, output, id } = await running();
    const chunk = "ä".repeat(16 * 1024);
    for (let sequence = 1; sequence <= 20; sequence++) await report(sequence, chunk);
    await end();
    const watcher = output();
    await watcher.event((event) => event.type === "end");
    const sequences = watcher.events.slice(1, -1).map((event) => Number(event.id));
    expect(sequences).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
    expect(Buffer.byteLength(textOf(watcher.events))).toBe(sessionOutputLimits.keptBytes);
    const { db } = server.database;
    expect(
      await db.selectFrom("agent_session_output").where("session_id", "=", id).select("sequence").execute(),
    ).toHaveLength(8);
  });

  it("is for the person who started it, the device's owner and admins", async () => {
    const { id } = await running();
    const watcher = watch<SessionOutputEvent>((handlers) =>
      bob.client.agent.sessionOutput.subscribe({ organizationId, id }, handlers),
    );
    expect(await failure(watcher.event(() => true))).toMatchObject({
      code: "FORBIDDEN",
      reason: "role_required",
    });
  });
});

describe("agent.sessionOutputs", () => {
  /** Watches sessions after these chunks. The events have no id of their own. */
  const outputs = (sessions: { id: string; after?: number }[], user = ada) =>
    watch<SessionOutputsEvent>(({ onData, onError }) =>
      user.client.agent.sessionOutputs.subscribe(
        { organizationId, sessions },
        { onData: (data) => onData({ id: "", data }), onError },
      ),
    );
  const textOf = ({ events }: ReturnType<typeof outputs>, id: string) =>
    events.map(({ data }) => (data.type === "output" && data.id === id ? data.data : "")).join("");

  it("sends what each of the sessions prints, after the chunk seen last, and each end", async () => {
    const [one, two] = [await running(), await running()];
    await one.report(1, "seen ");
    await one.report(2, "kept ");
    await two.report(1, "other ");
    const watcher = outputs([{ id: one.id, after: 1 }, { id: two.id }]);
    await watcher.event((event) => event.type === "output" && event.id === two.id);
    await two.end();
    await watcher.event((event) => event.type === "end" && event.id === two.id);
    await one.report(3, "new");
    await one.end();
    await watcher.event((event) => event.type === "end" && event.id === one.id);
    expect([textOf(watcher, one.id), textOf(watcher, two.id)]).toEqual(["kept new", "other "]);
    expect(watcher.events.filter(({ data }) => data.type === "size")).toHaveLength(2);
  });

  it("sends the output of a quiet session beside one with much to catch up on", async () => {
    const [busy, quiet] = [await running(), await running()];
    for (let sequence = 1; sequence <= 300; sequence++) await busy.report(sequence, "x");
    await quiet.report(1, "hello");
    const watcher = outputs([{ id: busy.id }, { id: quiet.id }]);
    await watcher.event((event) => event.type === "output" && event.sequence === 300);
    const ofQuiet = watcher.events.findIndex(({ data }) => data.id === quiet.id && data.type === "output");
    expect(ofQuiet).toBeGreaterThan(0);
    // Five of the busy session's six reads: the quiet session's only read may be slow.
    expect(ofQuiet).toBeLessThan(250);
  });

  it("refuses sessions that the caller may not read or that do not exist, and sends the others", async () => {
    const [mine, missing] = [await running(), newId()];
    const stranger = await server.signUp("Stranger");
    await mine.report(1, "secret");
    const bobs = outputs([{ id: mine.id }, { id: missing }], bob);
    await bobs.event((event) => event.type === "refused" && event.id === mine.id);
    await bobs.event((event) => event.type === "refused" && event.id === missing);
    expect(bobs.events).toHaveLength(2);
    const mixed = outputs([{ id: missing }, { id: mine.id }]);
    await mixed.event((event) => event.type === "output" && event.data === "secret");
    await mixed.event((event) => event.type === "refused" && event.id === missing);
    const foreign = watch<SessionOutputsEvent>(({ onData, onError }) =>
      stranger.client.agent.sessionOutputs.subscribe(
        { organizationId: stranger.organizationId, sessions: [{ id: mine.id }] },
        { onData: (data) => onData({ id: "", data }), onError },
      ),
    );
    expect((await foreign.event(() => true)).data).toEqual({ type: "refused", id: mine.id });
    expect(await failure(outputs([{ id: mine.id }], stranger).event(() => true))).toMatchObject({
      reason: "not_a_member",
    });
  });

  it("ends when the caller's role changes", async () => {
    const carol = await server.signUp("Carol");
    await addMember(server, organizationId, carol, "admin");
    const { id, report } = await running();
    await report(1, "for admins");
    const watcher = outputs([{ id }], carol);
    await watcher.event((event) => event.type === "output");
    await ada.client.organization.updateMemberRole.mutate({
      organizationId,
      userId: carol.user.id,
      role: "member",
    });
    expect(await failure(watcher.event((event) => event.type === "refused"))).toMatchObject({
      code: "UNAUTHORIZED",
    });
  });
});

describe("agent.getSession", () => {
  const get = (id: string, waitMs?: number) =>
    ada.client.agent.getSession.query({ organizationId, id, waitMs });

  it("waits until the session waits for input, or has ended", async () => {
    const { id, device, report, end } = await running();
    const waiting = (waitingForInput: boolean) =>
      device.client.agent.reportSession.mutate({ type: "waiting", id, waitingForInput });
    const first = get(id, 50_000);
    // Output alone does not end the wait.
    await report(1, "thinking");
    await waiting(true);
    expect(await first).toMatchObject({ status: "running", waitingForInput: true });
    expect(await get(id, 50_000)).toMatchObject({ waitingForInput: true });
    await waiting(false);
    const second = get(id, 50_000);
    await end();
    expect(await second).toMatchObject({ status: "exited", exitCode: 3 });
    expect(await get(id, 50_000)).toMatchObject({ status: "exited" });
  });

  it("returns its current state when the time is up", async () => {
    const { id } = await running();
    expect(await get(id, 50)).toMatchObject({ status: "running", waitingForInput: false });
    expect(await failure(get(newId(), 50))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("agent.sessionTail", () => {
  it("returns the end of the output, and whether any is missing", async () => {
    const { report, end, id } = await running();
    const tail = (length: number) => ada.client.agent.sessionTail.query({ organizationId, id, length });
    const size = { columns: 120, rows: 40 };
    expect(await tail(10)).toEqual({ output: "", truncated: false, sequence: 0, ...size });
    await report(1, "first ");
    await report(2, "second 👍🏽");
    expect(await tail(100)).toEqual({ output: "first second 👍🏽", truncated: false, sequence: 2, ...size });
    expect(await tail(4)).toEqual({ output: "👍🏽", truncated: true, sequence: 2, ...size });
    // Cutting here would leave half a character at the start.
    expect(await tail(3)).toEqual({ output: "🏽", truncated: true, sequence: 2, ...size });
    const chunk = "ä".repeat(16 * 1024);
    for (let sequence = 3; sequence <= 12; sequence++) await report(sequence, chunk);
    await end();
    expect(await tail(40_000)).toMatchObject({ output: "ä".repeat(40_000), truncated: true, sequence: 12 });
    expect(
      await failure(bob.client.agent.sessionTail.query({ organizationId, id, length: 10 })),
    ).toMatchObject({ code: "FORBIDDEN", reason: "role_required" });
  });
});

describe("agent.execute of get_agent_screen", () => {
  it("is for anyone who may read the session's output, even on a shared device", async () => {
    const { id, device, deviceId } = await running();
    await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
    const look = (client: typeof ada.client, params: Record<string, unknown>) =>
      client.agent.execute.mutate({ organizationId, deviceId, tool: "get_agent_screen", params, waitMs: 0 });
    const params = { sessionId: id, length: 100 };
    expect(await failure(look(bob.client, params))).toMatchObject({
      code: "FORBIDDEN",
      reason: "role_required",
    });
    expect(await failure(look(ada.client, { ...params, sessionId: newId() }))).toMatchObject({
      code: "NOT_FOUND",
    });
    expect(await failure(look(ada.client, { length: 100 }))).toMatchObject({ code: "BAD_REQUEST" });
    const { id: commandId } = await look(ada.client, params);
    const sent = await device.event("command", (event) => event.id === commandId);
    expect(sent).toMatchObject({ tool: "get_agent_screen", params });
  });
});

describe("agent.sendInput, resizeSession and stopSession", () => {
  it("travel as commands, and return the device's answer", async () => {
    const { id, device } = await running();
    const answer = async (params: object, report: object) => {
      const command = await device.event("command", ({ params: sent }) => isDeepStrictEqual(sent, params));
      await device.client.agent.complete.mutate({ id: command.id, journalId: device.journalId, ...report });
      return command.tool;
    };
    const success = { result: { success: true } };
    const key = { organizationId, id };
    const typed = ada.client.agent.sendInput.mutate({ ...key, text: "yes\r" });
    expect(await answer({ sessionId: id, text: "yes\r" }, success)).toBe("send_agent_input");
    expect(await typed).toEqual({ success: true });
    const once = { ...key, text: "no\r", idempotencyKey: newId() };
    const typedOnce = ada.client.agent.sendInput.mutate(once);
    await answer({ sessionId: id, text: "no\r" }, success);
    const sent = device.events.length;
    expect([await typedOnce, await ada.client.agent.sendInput.mutate(once)]).toEqual([
      { success: true },
      { success: true },
    ]);
    const size = { columns: 97, rows: 31 };
    const resized = ada.client.agent.resizeSession.mutate({ ...key, ...size });
    expect(await answer({ sessionId: id, ...size }, success)).toBe("resize_agent_session");
    const tools = device.events
      .slice(sent)
      .flatMap((event) => (event.type === "command" ? [event.tool] : []));
    expect(tools).toEqual(["resize_agent_session"]);
    expect(await resized).toEqual({ success: true });
    expect(await ada.client.agent.sessionTail.query(key)).toMatchObject(size);
    const stopped = failure(ada.client.agent.stopSession.mutate(key));
    const error = { reason: "no_such_session", message: "There is none." };
    expect(await answer({ sessionId: id }, { error })).toBe("stop_agent_session");
    expect(await stopped).toMatchObject({
      code: "PRECONDITION_FAILED",
      reason: "command_failed",
      message: "There is none.",
    });
    expect(await failure(bob.client.agent.stopSession.mutate(key))).toMatchObject({
      reason: "device_owner_required",
    });
    await device.client.agent.reportSession.mutate({ type: "end", id, status: "stopped" });
    expect(await ada.client.agent.stopSession.mutate(key)).toEqual({ success: true });
    expect(await failure(ada.client.agent.sendInput.mutate({ ...key, text: "?" }))).toMatchObject({
      reason: "session_ended",
    });
  });
});

it("names the users who type to the session's viewers, and no one who answers without watching", async () => {
  const { id, device, output } = await running();
  const watcher = output();
  await watcher.event((event) => event.type === "size");
  const type = async (input: { text: string; screen?: "live" }) => {
    const typed = ada.client.agent.sendInput.mutate({ organizationId, id, ...input });
    const command = await device.event("command", ({ params }) =>
      isDeepStrictEqual(params, { sessionId: id, ...input }),
    );
    const result = { result: { success: true } };
    await device.client.agent.complete.mutate({ id: command.id, journalId: device.journalId, ...result });
    await typed;
  };
  const typists = () => watcher.events.flatMap(({ data }) => (data.type === "typing" ? [data.userId] : []));
  await type({ text: "y" });
  await type({ text: "a", screen: "live" });
  await watcher.event((event) => event.type === "typing");
  // The next key is too soon for another event.
  await type({ text: "b", screen: "live" });
  await device.client.agent.reportSession.mutate({ type: "end", id, status: "stopped" });
  await watcher.event((event) => event.type === "end");
  expect(typists()).toEqual([ada.user.id]);
});

it("only users who may read a session's output may type into it, resize it or stop it, also by the device's tools", async () => {
  const { id, deviceId } = await running();
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  const key = { organizationId, id };
  const { agent } = bob.client;
  const size = { columns: 80, rows: 24 };
  const raw = (tool: DeviceToolName, params: object) =>
    agent.execute.mutate({ organizationId, deviceId, tool, params: { sessionId: id, ...params }, waitMs: 0 });
  const { key: token } = await bob.client.apiKey.create.mutate({
    organizationId,
    name: "b",
    scopes: ["write"],
  });
  for (const call of [
    () => agent.sendInput.mutate({ ...key, text: "env\r", screen: "live" }),
    () => server.client(token).agent.sendInput.mutate({ ...key, text: "env\r" }),
    () => agent.resizeSession.mutate({ ...key, ...size }),
    () => agent.stopSession.mutate(key),
    () => raw("send_agent_input", { text: "env\r" }),
    () => raw("resize_agent_session", size),
    () => raw("stop_agent_session", {}),
  ])
    expect(await failure(call())).toMatchObject({ code: "FORBIDDEN", reason: "role_required" });
});

it("records who typed into a session, resized and stopped it, once per person, key and hour", async () => {
  const { id, deviceId } = await running();
  const { token, id: keyId } = await ada.client.apiKey.create
    .mutate({ organizationId, name: "typist", scopes: ["write"] })
    .then(({ key, ...made }) => ({ token: key, ...made }));
  const raw = (client: typeof ada.client, tool: DeviceToolName, params: object) =>
    client.agent.execute.mutate({
      organizationId,
      deviceId,
      tool,
      params: { sessionId: id, ...params },
      waitMs: 0,
    });
  for (const text of ["a", "b", "c", "d"]) {
    await raw(ada.client, "send_agent_input", { text, screen: "live" });
    await raw(server.client(token), "send_agent_input", { text, screen: "live" });
  }
  await raw(ada.client, "resize_agent_session", { columns: 80, rows: 24 });
  await raw(ada.client, "stop_agent_session", {});
  const events = await ada.client.organization.listAuditEvents.query({ organizationId });
  const found = events.filter(({ targetId }) => targetId === id);
  const seen = found.map(({ action, actorKind, actorId }) => [action, actorKind, actorId]);
  expect(new Set(seen.map(String))).toEqual(
    new Set([
      `agent.resizeSession,user,${ada.user.id}`,
      `agent.sendInput,api_key,${keyId}`,
      `agent.sendInput,user,${ada.user.id}`,
      `agent.stopSession,user,${ada.user.id}`,
    ]),
  );
  // The hour may end in between.
  expect(found.length).toBeLessThanOrEqual(6);
  expect(found[0]?.metadata).toEqual({ commandId: expect.any(String) });
});

it("a session that waits has the number of its screen, and a refused answer returns what the screen shows", async () => {
  const { id, device } = await running();
  const key = { organizationId, id };
  const { agent } = device.client;
  await agent.reportSession.mutate({
    type: "waiting",
    id,
    waitingForInput: true,
    questionText: "Edit?",
    screen: 7,
  });
  expect(await ada.client.agent.getSession.query(key)).toMatchObject({ questionText: "Edit?", screen: 7 });
  expect(await bob.client.agent.getSession.query(key)).toMatchObject({ questionText: null, screen: null });
  const typed = failure(ada.client.agent.sendInput.mutate({ ...key, text: "1", screen: 7 }));
  const command = await device.event("command", ({ tool }) => tool === "send_agent_input");
  expect(command.params).toEqual({ sessionId: id, text: "1", screen: 7 });
  const screen = { number: 8, lines: "Run rm -rf build?" };
  const error = { reason: "screen_changed", message: "It shows something else.", screen };
  await agent.complete.mutate({ id: command.id, journalId: device.journalId, error });
  expect(await typed).toMatchObject({ reason: "screen_changed", data: { details: { error: { screen } } } });
  await agent.reportSession.mutate({ type: "waiting", id, waitingForInput: false });
  expect(await ada.client.agent.getSession.query(key)).toMatchObject({ screen: null });
});

it("revoking the device fails its sessions, and removes their last lines and screens", async () => {
  const { id, deviceId, device } = await running();
  const { agent } = device.client;
  await agent.reportSession.mutate({
    type: "waiting",
    id,
    waitingForInput: true,
    questionText: "Edit?",
    screen: 7,
  });
  await ada.client.device.revoke.mutate({ organizationId, id: deviceId });
  expect(await ada.client.agent.getSession.query({ organizationId, id })).toMatchObject({
    status: "failed",
    error: { reason: "device_revoked" },
    waitingForInput: false,
    questionText: null,
    screen: null,
  });
});

describe("agent.sessionSecrets", () => {
  it("returns the secrets of the workspace's project to its device while the start is in progress", async () => {
    const { command, device } = await running();
    const ask = { commandId: command.id };
    expect(await device.client.agent.sessionSecrets.mutate(ask)).toEqual({ TOKEN: "hunter2" });
    const other = await machine();
    expect(await failure(other.device.client.agent.sessionSecrets.mutate(ask))).toMatchObject({
      code: "NOT_FOUND",
    });
    const row = await ada.client.agent.getCommand.query({ organizationId, id: command.id });
    expect(JSON.stringify(row)).not.toContain("hunter2");
    const result = { sessionId: newId(), agent: "claude", pid: 1 };
    await device.client.agent.complete.mutate({ id: command.id, journalId: device.journalId, result });
    expect(await failure(device.client.agent.sessionSecrets.mutate(ask))).toMatchObject({
      reason: "command_not_live",
    });
  });

  /** A start requested with this credential, as its device has it. */
  async function asked(token: string, on?: Awaited<ReturnType<typeof machine>>) {
    const { id: deviceId, device, workspaceId } = on ?? (await machine());
    await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
    const command = await server.client(token).agent.execute.mutate({
      organizationId,
      deviceId,
      tool: "start_agent_session",
      params: { workspaceId, prompt: "do it" },
      waitMs: 0,
    });
    const event = await device.event("command", ({ id }) => id === command.id);
    await begin(event, device);
    return { deviceId, read: () => device.client.agent.sessionSecrets.mutate({ commandId: command.id }) };
  }
  const keyOf = (person: typeof ada, expiresAt?: string) =>
    person.client.apiKey.create.mutate({ organizationId, name: "ci", expiresAt });
  const allow = (id: string, allowed: boolean) =>
    ada.client.device.setSecretsAllowed.mutate({ organizationId, id, allowed });

  it("returns none for a key that was revoked since, nor for a member who left", async () => {
    const { key, id } = await keyOf(ada);
    const byKey = await asked(key);
    await ada.client.apiKey.revoke.mutate({ organizationId, id });
    expect(await failure(byKey.read())).toMatchObject({ reason: "requester_revoked" });

    const eve = await server.signUp("Eve");
    await addMember(server, organizationId, eve, "admin");
    const byEve = await asked(eve.token);
    await ada.client.organization.removeMember.mutate({ organizationId, userId: eve.user.id });
    expect(await failure(byEve.read())).toMatchObject({ reason: "requester_revoked" });
  });

  it("returns none to a device that a member's key registered, until an org-admin allows it", async () => {
    const { key } = await keyOf(bob);
    const registered = await server.client(key).device.register.mutate({
      organizationId,
      name: "bob's",
      platform: "linux",
    });
    expect(registered.secretsAllowed).toBe(false);
    const device = connectDevice(server.url, registered.apiKey, { capabilities });
    connected.push(device);
    await untilStatus(ada.client, organizationId, registered.id, "online");
    const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
    const project = projectFields();
    const { projectId } = await device.client.workspace.ensure.mutate({ organizationId, project, workspace });
    const secret = { organizationId, projectId, key: "TOKEN", value: "hunter2" };
    await ada.client.project.setSecret.mutate(secret);
    const start = async (token: string) => {
      const command = await server.client(token).agent.execute.mutate({
        organizationId,
        deviceId: registered.id,
        tool: "start_agent_session",
        params: { workspaceId: workspace.id, prompt: "do it" },
        waitMs: 0,
      });
      await begin(await device.event("command", ({ id }) => id === command.id), device);
      return () => device.client.agent.sessionSecrets.mutate({ commandId: command.id });
    };
    const byKey = await start(key);
    expect(await failure(byKey())).toMatchObject({ code: "FORBIDDEN", reason: "secrets_not_allowed" });
    // Signed in, a member may; so may an org-admin's key, once the device is shared.
    expect(await (await start(bob.token))()).toEqual({ TOKEN: "hunter2" });
    await bob.client.device.update.mutate({ organizationId, id: registered.id, shared: true });
    expect(await (await start((await keyOf(ada)).key))()).toEqual({ TOKEN: "hunter2" });

    expect(await allow(registered.id, true)).toMatchObject({ secretsAllowed: true });
    expect(await byKey()).toEqual({ TOKEN: "hunter2" });
    await allow(registered.id, false);
    expect(await failure(byKey())).toMatchObject({ reason: "secrets_not_allowed" });
    const events = await ada.client.organization.listAuditEvents.query({
      organizationId,
      action: "device.setSecretsAllowed",
    });
    expect(events.map(({ metadata }) => metadata)).toMatchObject([{ allowed: false }, { allowed: true }]);
  });

  it("returns them on a device that an org-admin registered while signed in, to all its users", async () => {
    const own = await machine();
    const { read } = await asked((await keyOf(bob)).key, own);
    expect(await read()).toEqual({ TOKEN: "hunter2" });
  });
});

it("a session and its output are deleted 30 days after its end, and not before", async () => {
  const { id, report, end } = await running();
  await report(1, "one");
  await end();
  const { db } = server.database;
  const age = (days: number) =>
    sql`update agent_sessions set ended_at = now() - ${days}::integer * interval '1 day' where id = ${id}`.execute(
      db,
    );
  await age(29);
  await deleteOutdated(db);
  await ada.client.agent.getSession.query({ organizationId, id });
  await age(31);
  await deleteOutdated(db);
  expect(await failure(ada.client.agent.getSession.query({ organizationId, id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});
