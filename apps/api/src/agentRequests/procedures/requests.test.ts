import { newId } from "@grove/db";
import type { AgentRequest, OrganizationEvent, ReportedRequest } from "@grove/schemas";
import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, type StockClient, stockClient, useTestServer } from "../../testing/server";
import { stateReporter } from "../../testing/stateReporter";
import { watch } from "../../testing/watch";
import { expireRequests } from "../expire";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "admin");
await addMember(server, organizationId, eve, "member");

const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

const asked = (fields: Partial<ReportedRequest> = {}): ReportedRequest => ({
  id: newId(),
  kind: "permission",
  tool: "Bash",
  title: "Bash: rm -rf build",
  input: "rm -rf build",
  questions: [],
  isAnswerable: true,
  scopes: ["once"],
  ageMs: 10,
  ...fields,
});
const question = {
  question: "Which?",
  header: "",
  multiSelect: false,
  options: [{ label: "A", description: "" }],
};

/** A running session on a shared device, which delivers answers unless a test decides otherwise. */
async function running({ starter = ada.client as StockClient, delivers = true } = {}) {
  const registered = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const { id: deviceId, apiKey } = registered;
  await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
  const answers: unknown[] = [];
  const device = connectDevice(server.url, apiKey, {
    capabilities: ["start_agent_session", "answer_agent_request", "release_agent_request"],
    run: async ({ id, tool, params }, { client, journalId }) => {
      if (tool === "start_agent_session") return;
      answers.push(params);
      if (!delivers) return;
      await client.agent.complete.mutate({ id, journalId, result: { success: true } });
    },
  });
  connected.push(device);
  await untilStatus(ada.client, organizationId, deviceId, "online");
  const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  const command = await starter.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "start_agent_session",
    params: { workspaceId: workspace.id, prompt: "do it" },
    waitMs: 0,
  });
  await begin(await device.event("command"), device);
  const id = newId();
  const { agent } = device.client;
  await agent.reportSession.mutate({
    type: "start",
    id,
    journalId: device.journalId,
    workspaceId: workspace.id,
    agent: "claude",
    commandId: command.id,
  });
  const reportState = stateReporter(device, id);
  /** Reports that the agent has these requests open. */
  const report = (...requests: ReportedRequest[]) =>
    reportState(requests.length > 0 ? "needs_permission" : "working", {
      detail: requests[0]?.title,
      requests,
    });
  return { id, deviceId, device, answers, report, agent };
}

const answer = (client: StockClient, id: string, more: object = {}) =>
  client.agent.answerRequest.mutate({ organizationId, id, answer: { decision: "allow" }, ...more });
const open = (client: StockClient, sessionId: string) =>
  client.agent.listRequests.query({ organizationId, sessionId, status: "open" });

describe("a reported state", () => {
  it("is shown with its source and start, and ends with the session", async () => {
    const { id, report, agent } = await running();
    const read = (client = ada.client) => client.agent.getSession.query({ organizationId, id });
    expect((await read()).activity).toBeNull();
    await report(asked());
    expect((await read()).activity).toEqual({
      state: "needs_permission",
      source: "hook",
      detail: "Bash: rm -rf build",
      limitedUntil: null,
      since: expect.any(String),
    });
    expect((await read(eve.client)).activity).toMatchObject({ state: "needs_permission", detail: null });
    await agent.reportSession.mutate({ type: "end", id, status: "exited", exitCode: 0 });
    expect((await read()).activity).toBeNull();
  });

  it("is never replaced by an older report", async () => {
    const { id, report, agent } = await running();
    await report();
    await report(asked());
    const older = { type: "state" as const, id, number: 1, state: "done" as const, source: "hook" as const };
    await agent.reportSession.mutate({ ...older, ageMs: 0, requests: [] });
    const { activity } = await ada.client.agent.getSession.query({ organizationId, id });
    expect(activity?.state).toBe("needs_permission");
    expect(await open(ada.client, id)).toHaveLength(1);
  });

  it("reaches the watchers of the organization, with its request", async () => {
    const { id, report } = await running();
    const watcher = watch<OrganizationEvent>((handlers) =>
      ada.client.organization.watch.subscribe({ organizationId }, handlers),
    );
    await watcher.ready();
    const request = asked();
    await report(request);
    await watcher.event(
      (event) => event.type === "session" && event.session.activity?.state === "needs_permission",
    );
    await watcher.event((event) => event.type === "request" && event.request.id === request.id);
    await answer(bob.client, request.id);
    await watcher.event(
      (event) =>
        event.type === "request" &&
        event.request.answeredBy === bob.user.id &&
        event.request.sessionId === id,
    );
    watcher.stop();
  });
});

describe("agent.answerRequest", () => {
  it("answers once: the agent gets the answer, and the next caller gets the name of the answering user", async () => {
    const { report, answers, id } = await running();
    const request = asked();
    await report(request);
    expect(await open(eve.client, id)).toMatchObject([{ title: null, input: null, questions: null }]);
    expect(await answer(bob.client, request.id)).toMatchObject({
      status: "answered",
      decision: "allow",
      scope: "once",
      answeredBy: bob.user.id,
      delivery: "delivered",
    });
    expect(answers).toEqual([
      { sessionId: id, requestId: request.id, answer: { decision: "allow", scope: "once" } },
    ]);
    const late = answer(ada.client, request.id, { answer: { decision: "deny" } });
    expect(await failure(late)).toMatchObject({
      code: "CONFLICT",
      reason: "already_answered",
      data: { details: { name: "Bob", userId: bob.user.id, decision: "allow" } },
    });
  });

  it("has one winner among many callers at the same time", async () => {
    const { report, answers } = await running();
    for (let round = 0; round < 20; round++) {
      const request = asked();
      await report(request);
      const callers = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? ada : bob));
      const outcomes = await Promise.allSettled(callers.map(({ client }) => answer(client, request.id)));
      const won = outcomes.filter(({ status }) => status === "fulfilled");
      expect(won).toHaveLength(1);
      for (const outcome of outcomes)
        if (outcome.status === "rejected") expect(outcome.reason.data.reason).toBe("already_answered");
    }
    expect(answers).toHaveLength(20);
  });

  it("answers the same again for the same idempotency key, and for no other answer", async () => {
    const { report, answers } = await running();
    const request = asked();
    await report(request);
    const first = await answer(ada.client, request.id, { idempotencyKey: "k" });
    expect(await answer(ada.client, request.id, { idempotencyKey: "k" })).toEqual(first);
    const other = answer(ada.client, request.id, { idempotencyKey: "k", answer: { decision: "deny" } });
    expect(await failure(other)).toMatchObject({ reason: "already_answered" });
    expect(answers).toHaveLength(1);
  });

  it("is for people: an API key may only answer questions of sessions that it started", async () => {
    const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "agent" });
    const agent = stockClient(server.url, key);
    const own = await running({ starter: agent });
    const others = await running();
    const [permission, ownQuestion, othersQuestion] = [
      asked(),
      asked({ kind: "question", questions: [question] }),
      asked({ kind: "question", questions: [question] }),
    ];
    await own.report(permission, ownQuestion);
    await others.report(othersQuestion);
    const answered = { answer: { decision: "answer", answers: [["A"]] } };
    expect(await failure(answer(agent, permission.id))).toMatchObject({ reason: "session_required" });
    expect(await failure(answer(agent, othersQuestion.id, answered))).toMatchObject({
      reason: "session_required",
    });
    expect(await answer(agent, ownQuestion.id, answered)).toMatchObject({
      status: "answered",
      decision: "answer",
    });
    const around = agent.agent.execute.mutate({
      organizationId,
      deviceId: own.deviceId,
      tool: "answer_agent_request",
      params: { sessionId: own.id, requestId: permission.id, answer: { decision: "allow", scope: "once" } },
    });
    expect(await failure(around)).toMatchObject({ code: "BAD_REQUEST" });
    expect(own.answers).toHaveLength(1);
  });

  it("is refused for users who may not type into the session, and in other organizations", async () => {
    const { report } = await running();
    const request = asked();
    await report(request);
    expect(await failure(answer(eve.client, request.id))).toMatchObject({ reason: "role_required" });
    const elsewhere = eve.client.agent.answerRequest.mutate({
      organizationId: eve.organizationId,
      id: request.id,
      answer: { decision: "allow" },
    });
    expect(await failure(elsewhere)).toMatchObject({ code: "NOT_FOUND" });
  });

  it.each<[string, Partial<ReportedRequest>, object, string]>([
    [
      "an allowance that the agent does not offer",
      {},
      { decision: "allow", scope: "session" },
      "scope_not_offered",
    ],
    ["answers to no question", {}, { decision: "answer", answers: [["A"]] }, "answer_mismatch"],
    [
      "too many answers",
      { kind: "question", questions: [question] },
      { decision: "answer", answers: [["A"], ["B"]] },
      "answer_mismatch",
    ],
    ["what only the terminal takes", { isAnswerable: false }, { decision: "allow" }, "not_answerable"],
  ])("refuses %s, and the request stays open", async (_, fields, given, reason) => {
    const { report, id } = await running();
    const request = asked(fields);
    await report(request);
    expect(await failure(answer(ada.client, request.id, { answer: given }))).toMatchObject({ reason });
    expect(await open(ada.client, id)).toHaveLength(1);
  });

  it("is settled otherwise: in the terminal, by the session's end, by time", async () => {
    const { report, agent, id } = await running();
    const [there, late, last] = [asked(), asked(), asked()];
    await report(there, late, last);
    await report(late, last);
    expect(await failure(answer(ada.client, there.id))).toMatchObject({
      reason: "already_answered",
      data: { details: { isInTerminal: true } },
    });
    await db
      .updateTable("agent_requests")
      .set({ expires_at: sql<string>`now()` })
      .where("id", "=", late.id)
      .execute();
    expect(await failure(answer(ada.client, late.id))).toMatchObject({ reason: "request_expired" });
    await expireRequests(db);
    expect(await failure(answer(ada.client, late.id))).toMatchObject({ reason: "request_expired" });
    await agent.reportSession.mutate({ type: "end", id, status: "exited", exitCode: 0 });
    expect(await failure(answer(ada.client, last.id))).toMatchObject({ reason: "request_withdrawn" });
    const list = await ada.client.agent.listRequests.query({ organizationId, sessionId: id });
    expect(new Set(list.map(({ status }) => status))).toEqual(
      new Set(["answered_there", "expired", "withdrawn"]),
    );
  });

  it("shows that an answer has not arrived yet, and then that it came too late", async () => {
    const { report, device, id } = await running({ delivers: false });
    const request = asked();
    await report(request);
    expect(await answer(ada.client, request.id)).toMatchObject({ delivery: "pending" });
    const command = await device.event("command", ({ tool }) => tool === "answer_agent_request");
    await device.client.agent.complete.mutate({
      id: command.id,
      journalId: device.journalId,
      error: { reason: "request_gone", message: "gone" },
    });
    const [settled] = await ada.client.agent.listRequests.query({ organizationId, sessionId: id });
    expect(settled).toMatchObject({ status: "answered", delivery: "gone" });
  });
});

describe("agent.getRequest", () => {
  it("returns a request as lists do: its texts to users who may read the session's output", async () => {
    const { report, id } = await running();
    const request = asked();
    await report(request);
    const read = (client: StockClient) => client.agent.getRequest.query({ organizationId, id: request.id });
    expect([await read(bob.client)]).toEqual(await open(bob.client, id));
    expect(await read(eve.client)).toMatchObject({ status: "open", title: null, input: null });
    await answer(bob.client, request.id);
    expect(await read(ada.client)).toMatchObject({ answeredBy: bob.user.id, delivery: "delivered" });
    const elsewhere = { organizationId: eve.organizationId, id: request.id };
    expect(await failure(eve.client.agent.getRequest.query(elsewhere))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("agent.snoozeRequest", () => {
  const snooze = (client: StockClient, id: string, more: object = {}) =>
    client.agent.snoozeRequest.mutate({ organizationId, id, ...more });

  it("snoozes a request for the caller only, for an hour, and shows it to the caller's watchers", async () => {
    const { report, id } = await running();
    const request = asked();
    await report(request);
    const watcher = watch<OrganizationEvent>((handlers) =>
      ada.client.organization.watch.subscribe({ organizationId }, handlers),
    );
    await watcher.ready();
    const { snoozedUntil } = await snooze(ada.client, request.id);
    const left = Date.parse(snoozedUntil ?? "") - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(1);
    await watcher.event((event) => event.type === "request" && event.request.snoozedUntil === snoozedUntil);
    watcher.stop();
    expect(await open(ada.client, id)).toMatchObject([{ snoozedUntil }]);
    expect(await open(bob.client, id)).toMatchObject([{ status: "open", snoozedUntil: null }]);
    const until = "2099-01-01T00:00:00.000Z";
    expect(await snooze(ada.client, request.id, { until })).toMatchObject({ snoozedUntil: until });
    expect(await snooze(ada.client, request.id, { until: null })).toMatchObject({ snoozedUntil: null });
  });

  it("leaves a settled request as it is, and lasts as long as the request", async () => {
    const { report, id } = await running();
    const [first, second] = [asked(), asked()];
    await report(first, second);
    await snooze(ada.client, second.id);
    expect(await answer(ada.client, first.id)).toMatchObject({ status: "answered" });
    expect(await snooze(ada.client, first.id)).toMatchObject({ status: "answered", snoozedUntil: null });
    expect(await answer(ada.client, second.id)).toMatchObject({ status: "answered", snoozedUntil: null });
    const marks = () => db.selectFrom("request_marks").select("user_id").where("request_id", "=", second.id);
    expect(await marks().execute()).toHaveLength(1);
    await db.deleteFrom("agent_sessions").where("id", "=", id).execute();
    expect(await marks().execute()).toEqual([]);
  });

  it("is refused for users who may not read the request, for API keys, and in other organizations", async () => {
    const { report } = await running();
    const request = asked();
    await report(request);
    expect(await failure(snooze(eve.client, request.id))).toMatchObject({ reason: "role_required" });
    const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "agent" });
    expect(await failure(snooze(stockClient(server.url, key), request.id))).toMatchObject({
      reason: "session_required",
    });
    const elsewhere = snooze(eve.client, request.id, { organizationId: eve.organizationId });
    expect(await failure(elsewhere)).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("agent.markSessionSeen", () => {
  const seenBy = ({ client }: { client: StockClient }) =>
    client.agent.listSeenSessions.query({ organizationId });

  it("records for each user the last change that was seen, and none in the future", async () => {
    const { id, report, agent } = await running();
    await report();
    const read = () => ada.client.agent.getSession.query({ organizationId, id });
    const first = (await read()).activity?.since ?? "";
    const mark = (seen: string) => ada.client.agent.markSessionSeen.mutate({ organizationId, id, seen });
    await mark(first);
    await mark("2099-01-01T00:00:00.000Z");
    expect((await seenBy(ada)).find((one) => one.id === id)).toEqual({ id, seen: first });
    expect((await seenBy(bob)).find((one) => one.id === id)).toBeUndefined();
    await report(asked());
    const second = (await read()).activity?.since ?? "";
    await mark(second);
    await mark(first);
    expect((await seenBy(ada)).find((one) => one.id === id)).toEqual({ id, seen: second });
    await agent.reportSession.mutate({ type: "end", id, status: "exited", exitCode: 0 });
    expect((await seenBy(ada)).find((one) => one.id === id)).toBeUndefined();
    const elsewhere = { organizationId: eve.organizationId, id, seen: first };
    expect(await failure(eve.client.agent.markSessionSeen.mutate(elsewhere))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

it("a settled request loses its text after five minutes, and its answer's text immediately", async () => {
  const { report, id } = await running();
  const request = asked();
  await report(request);
  await answer(ada.client, request.id, { answer: { decision: "deny", message: "Secret words" } });
  const commands = await db.selectFrom("device_commands").select("params").execute();
  expect(JSON.stringify(commands)).not.toContain("Secret words");
  const read = async (): Promise<AgentRequest | undefined> =>
    (await ada.client.agent.listRequests.query({ organizationId, sessionId: id }))[0];
  await deleteOutdated(db);
  expect((await read())?.input).toBe("rm -rf build");
  await db
    .updateTable("agent_requests")
    .set({ settled_at: sql<string>`now() - interval '6 minutes'` })
    .where("id", "=", request.id)
    .execute();
  await deleteOutdated(db);
  expect(await read()).toMatchObject({ input: null, questions: null, status: "answered" });
});
