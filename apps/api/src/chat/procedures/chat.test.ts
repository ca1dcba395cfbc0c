import { newId } from "@grove/db";
import { type ChatEvent, chatEvent } from "@grove/schemas";
import { describe, expect, it } from "vitest";
import { connectDevice, untilStatus } from "../../testing/device";
import { addMember, projectFields } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const eve = await server.signUp("Eve");
const { organizationId } = ada;
const { chat } = ada.client;

describe("chat sessions", () => {
  it("are created, listed, renamed and deleted", async () => {
    const first = await chat.createSession.mutate({ organizationId });
    expect(first).toEqual({
      id: expect.any(String),
      title: "New chat",
      workspaceId: null,
      agentSessionId: null,
      createdBy: ada.user.id,
      lastActiveAt: first.createdAt,
      createdAt: expect.any(String),
    });
    const second = await chat.createSession.mutate({ organizationId, title: "天気 ☀️" });
    expect(await chat.listSessions.query({ organizationId })).toEqual([second, first]);
    expect(await chat.listSessions.query({ organizationId, after: second.id })).toEqual([first]);
    expect(await chat.getSession.query({ organizationId, id: second.id })).toEqual(second);
    const renamed = await chat.renameSession.mutate({ organizationId, id: first.id, title: "Umbenannt" });
    expect(renamed).toEqual({ ...first, title: "Umbenannt" });
    expect(await chat.deleteSession.mutate({ organizationId, id: first.id })).toEqual({ success: true });
    expect(await chat.listSessions.query({ organizationId })).toEqual([second]);
    for (const call of [
      () => chat.getSession.query({ organizationId, id: first.id }),
      () => chat.renameSession.mutate({ organizationId, id: first.id, title: "x" }),
      () => chat.deleteSession.mutate({ organizationId, id: first.id }),
      () => chat.sendMessage.mutate({ organizationId, sessionId: first.id, text: "x" }),
      () => chat.listMessages.query({ organizationId, sessionId: first.id }),
    ])
      expect(await failure(call())).toMatchObject({ code: "NOT_FOUND" });
    const audited = await server.database.db
      .selectFrom("audit_events")
      .select(["action", "metadata"])
      .where("target_id", "=", first.id)
      .execute();
    expect(audited).toEqual([{ action: "chat.deleteSession", metadata: { title: "Umbenannt" } }]);
  });

  it("outlive the workspace they are about", async () => {
    const { id: projectId } = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
    const workspace = await ada.client.workspace.create.mutate({
      organizationId,
      projectId,
      name: "one",
      type: "worktree",
      config: {},
    });
    const session = await chat.createSession.mutate({ organizationId, workspaceId: workspace.id });
    expect(session.workspaceId).toBe(workspace.id);
    await ada.client.workspace.delete.mutate({ organizationId, id: workspace.id });
    expect(await chat.getSession.query({ organizationId, id: session.id })).toEqual({
      ...session,
      workspaceId: null,
    });
    expect(
      await failure(chat.createSession.mutate({ organizationId, workspaceId: workspace.id })),
    ).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("chat messages", () => {
  it("reach every member who watches, in order, and are listed newest first", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "member");
    const session = await chat.createSession.mutate({ organizationId });
    const input = { organizationId, sessionId: session.id };
    const watcher = watch((handlers) => bob.client.chat.onMessage.subscribe(input, handlers));
    await watcher.ready();
    const sent = [
      await chat.sendMessage.mutate({ ...input, text: "Hi Bob" }),
      await bob.client.chat.sendMessage.mutate({ ...input, text: "multi\nline 👩🏽‍🚀" }),
    ];
    expect(sent[1]).toEqual({
      id: expect.any(String),
      role: "user",
      authorId: bob.user.id,
      text: "multi\nline 👩🏽‍🚀",
      createdAt: expect.any(String),
    });
    await watcher.event(({ type }) => type === "message");
    while (watcher.events.length < 3) await chat.getSession.query({ organizationId, id: session.id });
    watcher.stop();
    expect(watcher.events.map(({ data }) => chatEvent.parse(data))).toEqual([
      { type: "ready", missed: false },
      ...sent.map((message) => ({ type: "message", message })),
    ]);
    expect(await chat.listMessages.query(input)).toEqual([sent[1], sent[0]]);
    expect(await chat.listMessages.query({ ...input, after: sent[1]?.id })).toEqual([sent[0]]);
    expect(await chat.getSession.query({ organizationId, id: session.id })).not.toMatchObject({
      lastActiveAt: session.lastActiveAt,
    });
  });

  it("of another session are not sent", async () => {
    const [one, other] = [
      await chat.createSession.mutate({ organizationId }),
      await chat.createSession.mutate({ organizationId }),
    ];
    const watcher = watch((handlers) =>
      chat.onMessage.subscribe({ organizationId, sessionId: one.id }, handlers),
    );
    await watcher.ready();
    await chat.sendMessage.mutate({ organizationId, sessionId: other.id, text: "elsewhere" });
    const message = await chat.sendMessage.mutate({ organizationId, sessionId: one.id, text: "here" });
    await watcher.event(({ type }) => type === "message");
    expect(watcher.events.slice(1)).toEqual([{ id: expect.any(String), data: { type: "message", message } }]);
    watcher.stop();
  });

  it("end for their readers when their session is deleted", async () => {
    const { id: sessionId } = await chat.createSession.mutate({ organizationId });
    let complete = () => {};
    const ended = new Promise<void>((resolve) => {
      complete = resolve;
    });
    const reader = watch<ChatEvent>((handlers) =>
      chat.onMessage.subscribe({ organizationId, sessionId }, { ...handlers, onComplete: complete }),
    );
    await reader.ready();
    await chat.deleteSession.mutate({ organizationId, id: sessionId });
    await reader.event(({ type }) => type === "deleted");
    await ended;
  });

  it("leave nothing behind when their session is deleted", async () => {
    const session = await chat.createSession.mutate({ organizationId });
    await chat.sendMessage.mutate({ organizationId, sessionId: session.id, text: "a secret" });
    await chat.deleteSession.mutate({ organizationId, id: session.id });
    const { db } = server.database;
    for (const table of ["chat_messages", "organization_events"] as const) {
      const rows = await db
        .selectFrom(table)
        .selectAll()
        .where("organization_id", "=", organizationId)
        .execute();
      expect(JSON.stringify(rows)).not.toContain("a secret");
    }
  });

  it("are refused if empty, or from anyone but a member", async () => {
    const { id: sessionId } = await chat.createSession.mutate({ organizationId });
    const send = (text: string) => chat.sendMessage.mutate({ organizationId, sessionId, text });
    for (const text of ["", " \n\t", "x".repeat(50_001), "a\0b"])
      expect(await failure(send(text))).toMatchObject({ code: "BAD_REQUEST" });
    expect(
      await failure(eve.client.chat.sendMessage.mutate({ organizationId, sessionId, text: "Hi" })),
    ).toMatchObject({ code: "FORBIDDEN" });
  });

  it("without a session: the stream is refused", async () => {
    const watcher = watch((handlers) =>
      chat.onMessage.subscribe({ organizationId, sessionId: newId() }, handlers),
    );
    await expect(watcher.ready()).rejects.toThrow("There is no chat session");
  });
});

describe("a session that is tied to an agent", () => {
  /** An agent that runs on a connected device of Ada's, and what was typed to it. */
  async function runningAgent() {
    const registered = await ada.client.device.register.mutate({
      organizationId,
      name: "agents",
      platform: "linux",
    });
    const typed: unknown[] = [];
    const device = connectDevice(server.url, registered.apiKey, {
      capabilities: ["send_agent_input"],
      run: ({ id, params }, { client, journalId }) => {
        typed.push(params);
        return client.agent.complete.mutate({ id, journalId, result: { success: true } });
      },
    });
    await untilStatus(ada.client, organizationId, registered.id, "online");
    const agentSessionId = newId();
    await server.database.db
      .insertInto("agent_sessions")
      .values({
        organization_id: organizationId,
        id: agentSessionId,
        device_id: registered.id,
        agent: "test",
      })
      .execute();
    const session = await chat.createSession.mutate({ organizationId, agentSessionId });
    expect(session.agentSessionId).toBe(agentSessionId);
    return { typed, device, deviceId: registered.id, agentSessionId, sessionId: session.id };
  }

  it("types each message to the agent, and stores it", async () => {
    const { typed, device, agentSessionId, sessionId } = await runningAgent();
    const message = await chat.sendMessage.mutate({ organizationId, sessionId, text: "fix it" });
    expect(typed).toEqual([{ sessionId: agentSessionId, text: "fix it\r" }]);
    expect(await chat.listMessages.query({ organizationId, sessionId })).toEqual([message]);
    device.disconnect();
  });

  it("refuses a message that is longer than an input of a terminal, at its field", async () => {
    const { typed, device, sessionId } = await runningAgent();
    const send = (text: string) => chat.sendMessage.mutate({ organizationId, sessionId, text });
    expect(await failure(send("x".repeat(10_000)))).toMatchObject({
      code: "BAD_REQUEST",
      data: { fieldErrors: { text: ["must be at most 9999 characters in a chat with an agent"] } },
    });
    expect(typed).toEqual([]);
    await send("x".repeat(9_999));
    expect(typed).toHaveLength(1);
    device.disconnect();
  });

  it("accepts messages only from members who may use the device", async () => {
    const bob = await server.signUp("Bob");
    await addMember(server, organizationId, bob, "admin");
    const { typed, device, sessionId, deviceId } = await runningAgent();
    const send = () => bob.client.chat.sendMessage.mutate({ organizationId, sessionId, text: "fix it" });
    expect(await failure(send())).toMatchObject({ code: "FORBIDDEN", reason: "device_owner_required" });
    expect(typed).toEqual([]);
    await ada.client.device.update.mutate({ organizationId, id: deviceId, shared: true });
    expect(await send()).toMatchObject({ authorId: bob.user.id });
    expect(typed).toHaveLength(1);
    device.disconnect();
  });

  it("stores no message that did not reach the agent", async () => {
    const { device, deviceId, agentSessionId, sessionId } = await runningAgent();
    const send = () => chat.sendMessage.mutate({ organizationId, sessionId, text: "fix it" });
    device.disconnect();
    await untilStatus(ada.client, organizationId, deviceId, "offline");
    expect(await failure(send())).toMatchObject({ code: "PRECONDITION_FAILED", reason: "device_offline" });
    await server.database.db
      .updateTable("agent_sessions")
      .set({ status: "exited", ended_at: new Date() })
      .where("id", "=", agentSessionId)
      .execute();
    expect(await failure(send())).toMatchObject({ reason: "session_ended" });
    expect(await chat.listMessages.query({ organizationId, sessionId })).toEqual([]);
  });

  it("cannot belong to an agent that the organization does not have", async () => {
    const { agentSessionId } = await runningAgent();
    const create = (person: typeof ada, id: string) =>
      person.client.chat.createSession.mutate({
        organizationId: person.organizationId,
        agentSessionId: id,
      });
    expect(await failure(create(eve, agentSessionId))).toMatchObject({ code: "NOT_FOUND" });
    expect(await failure(create(ada, newId()))).toMatchObject({ code: "NOT_FOUND" });
  });
});
